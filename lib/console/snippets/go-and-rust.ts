import { characterLiteral as go, rustLiteral as rust } from './literal.ts'
import { environmentOf, hostOf, portOf, startPath } from './node-server.ts'
import { authMethodOf, type SnippetApp, type SnippetOf, webRedirect } from './snippet.ts'

const isPlain = ({ kind, mustPush, mustProve }: SnippetApp) => kind === 'confidential' && !mustPush && !mustProve

/** go-oidc with golang.org/x/oauth2. */
export const goOidc: SnippetOf = (app) => {
  const redirectUri = webRedirect(app)
  if (!isPlain(app) || redirectUri === undefined) return undefined
  return {
    id: 'go-oidc',
    library: 'go-oidc',
    version: '3.21.0',
    install: 'go get github.com/coreos/go-oidc/v3@v3.21.0 golang.org/x/oauth2@v0.37.0',
    file: 'main.go',
    code: goProgram(app, redirectUri),
    run: `${environmentOf(app)}go run .`,
    redirectUri,
  }
}

const goProgram = (app: SnippetApp, redirectUri: string) => `package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"log"
	"net/http"
	"os"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

func main() {
	provider, err := oidc.NewProvider(context.Background(), ${go(app.issuer)})
	if err != nil {
		log.Fatal(err)
	}
	endpoint := provider.Endpoint()
	endpoint.AuthStyle = oauth2.${authMethodOf(app) === 'client_secret_post' ? 'AuthStyleInParams' : 'AuthStyleInHeader'}
	config := oauth2.Config{
		ClientID:     ${go(app.clientId)},
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		Endpoint:     endpoint,
		RedirectURL:  ${go(redirectUri)},
		Scopes:       []string{${app.scopes.map(go).join(', ')}},
	}
	keep := func(w http.ResponseWriter, name, value string) {
		http.SetCookie(w, &http.Cookie{Name: name, Value: value, Path: "/", MaxAge: 600, HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: ${redirectUri.startsWith('https:')}})
	}
	kept := func(r *http.Request, name string) string {
		if cookie, err := r.Cookie(name); err == nil {
			return cookie.Value
		}
		return ""
	}
	http.HandleFunc(${go(startPath(redirectUri))}, func(w http.ResponseWriter, r *http.Request) {
		state, nonce, verifier := rand.Text(), rand.Text(), oauth2.GenerateVerifier()
		keep(w, "state", state)
		keep(w, "nonce", nonce)
		keep(w, "verifier", verifier)
		http.Redirect(w, r, config.AuthCodeURL(state, oidc.Nonce(nonce), oauth2.S256ChallengeOption(verifier)), http.StatusFound)
	})
	http.HandleFunc(${go(new URL(redirectUri).pathname)}, func(w http.ResponseWriter, r *http.Request) {
		answer, state := r.URL.Query(), kept(r, "state")
		if state == "" || answer.Get("state") != state || answer.Has("error") {
			http.Error(w, "the sign-in failed: "+answer.Get("error"), http.StatusBadRequest)
			return
		}
		token, err := config.Exchange(r.Context(), answer.Get("code"), oauth2.VerifierOption(kept(r, "verifier")))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		raw, _ := token.Extra("id_token").(string)
		idToken, err := provider.Verifier(&oidc.Config{ClientID: config.ClientID}).Verify(r.Context(), raw)
		if err != nil || idToken.Nonce != kept(r, "nonce") {
			http.Error(w, "the ID token is not for this sign-in", http.StatusBadRequest)
			return
		}
		userinfo, err := provider.UserInfo(r.Context(), oauth2.StaticTokenSource(token))
		if err != nil || userinfo.Subject != idToken.Subject {
			http.Error(w, "userinfo failed", http.StatusBadRequest)
			return
		}
		// Begin your own session here. person["sub"] is the key of this person in your database.
		person := map[string]any{}
		_ = userinfo.Claims(&person)
		_ = json.NewEncoder(w).Encode(person)
	})
	log.Fatal(http.ListenAndServe(${go(`${hostOf(redirectUri)}:${portOf(redirectUri)}`)}, nil))
}
`

/** openidconnect for Rust: the client and the two steps; the server is up to the app. */
export const openidconnectRust: SnippetOf = (app) => {
  const redirectUri = webRedirect(app)
  if (!isPlain(app) || redirectUri === undefined) return undefined
  return {
    id: 'openidconnect',
    library: 'openidconnect (Rust)',
    version: '4.1.0',
    install: 'cargo add openidconnect@4.1.0',
    file: 'sign_in.rs',
    code: rustProgram(app, redirectUri),
    run: undefined,
    redirectUri,
  }
}

const rustProgram = (
  app: SnippetApp,
  redirectUri: string,
) => `let http = reqwest::blocking::Client::builder().redirect(reqwest::redirect::Policy::none()).build()?;
let metadata = CoreProviderMetadata::discover(&IssuerUrl::new(${rust(app.issuer)}.into())?, &http)?;
let secret = ClientSecret::new(std::env::var("CLIENT_SECRET")?);
let client = CoreClient::from_provider_metadata(metadata, ClientId::new(${rust(app.clientId)}.into()), Some(secret))
    .set_auth_type(AuthType::${authMethodOf(app) === 'client_secret_post' ? 'RequestBody' : 'BasicAuth'})
    .set_redirect_uri(RedirectUrl::new(${rust(redirectUri)}.into())?);

// Start: keep the verifier, state and nonce in the session of the browser, and redirect to address.
let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
let (address, state, nonce) = client
    .authorize_url(CoreAuthenticationFlow::AuthorizationCode, CsrfToken::new_random, Nonce::new_random)
    .add_scopes([${app.scopes
      .filter((scope) => scope !== 'openid')
      .map(rust)
      .join(', ')}].map(|scope| Scope::new(scope.into())))
    .set_pkce_challenge(challenge)
    .url();

// At the redirect URI, after the state of the answer was compared with the kept one:
let tokens = client.exchange_code(AuthorizationCode::new(code))?.set_pkce_verifier(verifier).request(&http)?;
let checks = client.id_token_verifier().set_allowed_algs([${app.idTokenAlg === 'RS256' ? 'CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256' : 'CoreJwsSigningAlgorithm::EcdsaP256Sha256'}]);
let claims = tokens.id_token().context("no ID token")?.claims(&checks, &nonce)?;
let person: CoreUserInfoClaims =
    client.user_info(tokens.access_token().clone(), Some(claims.subject().clone()))?.request(&http)?;
`
