//! An app with openidconnect, with its defaults.
use anyhow::{anyhow, Context, Result};
use openidconnect::core::{
    CoreAuthenticationFlow, CoreClient, CoreProviderMetadata, CoreUserInfoClaims,
};
use openidconnect::url::Url;
use openidconnect::{
    reqwest, AuthorizationCode, ClientId, ClientSecret, CsrfToken, EndpointMaybeSet,
    EndpointNotSet, EndpointSet, IssuerUrl, Nonce, OAuth2TokenResponse, RedirectUrl, Scope,
    TokenResponse,
};
use std::env::var;
use tiny_http::{Header, Response, Server};

type Client = CoreClient<
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointMaybeSet,
    EndpointMaybeSet,
>;

fn main() -> Result<()> {
    let app_url = Url::parse(&var("APP_URL")?)?;
    let http = reqwest::blocking::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .build()?;
    let metadata = CoreProviderMetadata::discover(&IssuerUrl::new(var("ISSUER")?)?, &http)?;
    let secret = Some(ClientSecret::new(var("CLIENT_SECRET")?));
    let client =
        CoreClient::from_provider_metadata(metadata, ClientId::new(var("CLIENT_ID")?), secret)
            .set_redirect_uri(RedirectUrl::from_url(app_url.join("/callback")?));
    let server = Server::http(("localhost", app_url.port().context("a port")?))
        .map_err(|fault| anyhow!(fault))?;
    let mut started = None;
    for request in server.incoming_requests() {
        let url = app_url.join(request.url())?;
        if url.path() == "/sign-in" {
            let (address, state, nonce) = client
                .authorize_url(
                    CoreAuthenticationFlow::AuthorizationCode,
                    CsrfToken::new_random,
                    Nonce::new_random,
                )
                .add_scope(Scope::new("profile".into()))
                .add_scope(Scope::new("email".into()))
                .url();
            started = Some((state, nonce));
            let location =
                Header::from_bytes("location", address.as_str()).map_err(|()| anyhow!("header"))?;
            request.respond(Response::empty(303).with_header(location))?;
        } else {
            let answer = match &started {
                Some((state, nonce)) => finish(&client, &http, &url, state, nonce),
                None => Err(anyhow!("no sign-in was started")),
            };
            match answer {
                Ok(claims) => request.respond(Response::from_string(claims))?,
                Err(fault) => request
                    .respond(Response::from_string(format!("{fault:?}")).with_status_code(500))?,
            }
        }
    }
    Ok(())
}

/// Exchanges the code, checks the ID token, and returns the claims of userinfo as JSON.
fn finish(
    client: &Client,
    http: &reqwest::blocking::Client,
    url: &Url,
    state: &CsrfToken,
    nonce: &Nonce,
) -> Result<String> {
    let value = |name: &str| {
        let pair = url.query_pairs().find(|(key, _)| key == name);
        pair.map(|(_, value)| value.into_owned())
            .with_context(|| format!("{name} is missing in {url}"))
    };
    if value("state")? != *state.secret() {
        return Err(anyhow!("another state"));
    }
    let tokens = client
        .exchange_code(AuthorizationCode::new(value("code")?))?
        .request(http)?;
    let id_token = tokens.id_token().context("an ID token")?;
    let claims = id_token.claims(&client.id_token_verifier(), nonce)?;
    let subject = Some(claims.subject().clone());
    let person: CoreUserInfoClaims = client
        .user_info(tokens.access_token().clone(), subject)?
        .request(http)?;
    Ok(serde_json::to_string(&person)?)
}
