// gin-jwt on Gin, as its example `basic` sets it up: an authenticator that binds the form, and a login route. Configured for the
// contract by its path, its lifetime and grant_type; it answers as RFC 6749 has it, as its later versions do by themselves.
package main

import (
	"log"
	"net/http"
	"os"
	"time"

	jwt "github.com/appleboy/gin-jwt"
	"github.com/gin-gonic/gin"
)

type login struct {
	GrantType string `form:"grant_type" json:"grant_type" binding:"required,eq=password"`
	Username  string `form:"username" json:"username" binding:"required"`
	Password  string `form:"password" json:"password" binding:"required"`
}

var accounts = map[string]string{
	"alice":      os.Getenv("ALICE_PASSWORD"),
	"Zoë Straße": os.Getenv("ZOE_PASSWORD"),
}

const lifetime = 14 * 24 * time.Hour

func authenticate(c *gin.Context) (interface{}, error) {
	var values login
	if err := c.ShouldBind(&values); err != nil {
		return "", jwt.ErrMissingLoginValues
	}
	if password, found := accounts[values.Username]; !found || password != values.Password {
		return nil, jwt.ErrFailedAuthentication
	}
	return values.Username, nil
}

func main() {
	gin.SetMode(gin.ReleaseMode)
	middleware, err := jwt.New(&jwt.GinJWTMiddleware{
		Realm:   "accounts",
		Key:     []byte("only-for-this-run"),
		Timeout: lifetime,
		PayloadFunc: func(user interface{}) jwt.MapClaims {
			return jwt.MapClaims{"identity": user}
		},
		Authenticator: authenticate,
		LoginResponse: func(c *gin.Context, code int, token string, expire time.Time) {
			c.JSON(code, gin.H{"access_token": token, "token_type": "Bearer", "expires_in": int(lifetime.Seconds())})
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	router := gin.New()
	router.Use(gin.Recovery())
	router.POST("/Token", middleware.LoginHandler)
	router.GET("/me", middleware.MiddlewareFunc(), func(c *gin.Context) {
		c.JSON(http.StatusOK, gin.H{"userName": jwt.ExtractClaims(c)["identity"]})
	})
	log.Fatal(router.Run("127.0.0.1:" + os.Getenv("PORT")))
}
