// An app with go-oidc and golang.org/x/oauth2, with their defaults.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

func main() {
	provider, err := oidc.NewProvider(context.Background(), os.Getenv("ISSUER"))
	if err != nil {
		log.Fatal(err)
	}
	appURL := os.Getenv("APP_URL")
	config := oauth2.Config{
		ClientID:     os.Getenv("CLIENT_ID"),
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		Endpoint:     provider.Endpoint(),
		RedirectURL:  appURL + "/callback",
		Scopes:       []string{oidc.ScopeOpenID, "profile", "email"},
	}
	http.HandleFunc("/sign-in", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, config.AuthCodeURL("a-state-of-the-tests"), http.StatusFound)
	})
	http.HandleFunc("/callback", func(w http.ResponseWriter, r *http.Request) {
		claims, err := finish(r.Context(), provider, config, r.URL.Query())
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(claims)
	})
	address, err := url.Parse(appURL)
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.ListenAndServe(address.Host, nil))
}

func finish(ctx context.Context, provider *oidc.Provider, config oauth2.Config, answer url.Values) (map[string]any, error) {
	if answer.Get("state") != "a-state-of-the-tests" {
		return nil, fmt.Errorf("the answer has another state: %v", answer)
	}
	token, err := config.Exchange(ctx, answer.Get("code"))
	if err != nil {
		return nil, err
	}
	raw, _ := token.Extra("id_token").(string)
	idToken, err := provider.Verifier(&oidc.Config{ClientID: config.ClientID}).Verify(ctx, raw)
	if err != nil {
		return nil, err
	}
	userinfo, err := provider.UserInfo(ctx, oauth2.StaticTokenSource(token))
	if err != nil {
		return nil, err
	}
	if userinfo.Subject != idToken.Subject {
		return nil, fmt.Errorf("userinfo is about %s, the ID token about %s", userinfo.Subject, idToken.Subject)
	}
	claims := map[string]any{}
	return claims, userinfo.Claims(&claims)
}
