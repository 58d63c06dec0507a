package main

import (
	"context"
	"encoding/json"
	"log"
	"os"

	"golang.org/x/oauth2"
)

func main() {
	config := oauth2.Config{
		ClientID:     "client",
		ClientSecret: "secret",
		Endpoint:     oauth2.Endpoint{TokenURL: os.Getenv("TOKEN_ASSAY_URL") + "/Token"},
	}
	ctx := context.Background()
	token, err := config.PasswordCredentialsToken(ctx, os.Getenv("TOKEN_ASSAY_USER_NAME"), os.Getenv("TOKEN_ASSAY_PASSWORD"))
	if err != nil {
		log.Fatal(err)
	}
	resource, err := config.Client(ctx, token).Get(os.Getenv("TOKEN_ASSAY_RESOURCE_URL"))
	if err != nil || resource.StatusCode != 200 {
		log.Fatal("the token is refused: ", err)
	}
	json.NewEncoder(os.Stdout).Encode(map[string]interface{}{
		"userName":  token.Extra("userName"),
		"expiresAt": token.Extra(".expires"),
	})
}
