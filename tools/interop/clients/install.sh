#!/usr/bin/env bash
# Installs the clients that others wrote, for `npm run docs:clients`: those of npm from the lock file here, those of Debian by
# apt-get, as root. What cannot be installed is skipped by name.
set -uo pipefail
cd "$(dirname "$0")"
npm ci --no-audit --no-fund
apt-get update && apt-get install -y --no-install-recommends \
  python3-authlib python3-requests python3-requests-oauthlib ruby-oauth2 libnet-oauth2-perl \
  golang-go golang-golang-x-oauth2-dev curl jq
# A Go program is built once: each call of `go run` would compile it anew.
GO111MODULE=off GOPATH=/usr/share/gocode go build -o bin/x-oauth2 x-oauth2.go
