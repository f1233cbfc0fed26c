import { apacheLiteral as apache, characterLiteral as quoted } from './literal.ts'
import { environmentOf } from './node-server.ts'
import {
  authMethodOf,
  redirectWithPath,
  type SnippetApp,
  type SnippetOf,
  secretPlaceholder,
  webRedirect,
} from './snippet.ts'

const isPlain = ({ kind, mustPush, mustProve }: SnippetApp) => kind === 'confidential' && !mustPush && !mustProve

/** Spring Boot with Spring Security 7, which sends PKCE and uses HTTP Basic by itself. */
export const springSecurity: SnippetOf = (app) => {
  const redirectUri = redirectWithPath(app, '/login/oauth2/code/postern')
  if (!isPlain(app) || redirectUri === undefined) return undefined
  const code = `# application.yml of Spring Boot 4. ${
    app.idTokenAlg === 'RS256'
      ? 'ID tokens are signed with RS256, which Spring expects.'
      : 'ID tokens are signed with ES256: add the bean idTokens of docs/clients.md.'
  }
spring:
  security:
    oauth2:
      client:
        registration:
          postern:
            client-id: ${quoted(app.clientId)}
            client-secret: \${CLIENT_SECRET}
            client-authentication-method: ${authMethodOf(app)}
            scope: [${app.scopes.map(quoted).join(', ')}]
        provider:
          postern:
            issuer-uri: ${quoted(app.issuer)}
`
  return {
    id: 'spring-security',
    library: 'Spring Security',
    version: '7.1 (Boot 4.1.2)',
    install: undefined,
    file: 'application.yml',
    code,
    run: `${environmentOf(app)}./mvnw spring-boot:run`,
    redirectUri,
  }
}

/** oauth2-proxy, which names people by their address, or by `sub` if the app does not ask for one. */
export const oauth2Proxy: SnippetOf = (app) => {
  const redirectUri = redirectWithPath(app, '/oauth2/callback')
  if (!isPlain(app) || !app.authMethods.includes('client_secret_basic') || redirectUri === undefined) return undefined
  const code = `provider = "oidc"
oidc_issuer_url = ${quoted(app.issuer)}
client_id = ${quoted(app.clientId)}
# The environment variables OAUTH2_PROXY_CLIENT_SECRET and OAUTH2_PROXY_COOKIE_SECRET hold the secrets.
redirect_url = ${quoted(redirectUri)}
scope = ${quoted(app.scopes.join(' '))}
code_challenge_method = "S256"${app.email === 'required' ? '' : '\noidc_email_claim = "sub"'}
email_domains = ["*"]
http_address = "127.0.0.1:4180"
upstreams = ["http://127.0.0.1:8080/"]
`
  return {
    id: 'oauth2-proxy',
    library: 'oauth2-proxy',
    version: '7.6.0',
    install: undefined,
    file: 'oauth2-proxy.cfg',
    code,
    run: `OAUTH2_PROXY_COOKIE_SECRET="$(openssl rand -base64 32 | tr +/ -_)" OAUTH2_PROXY_CLIENT_SECRET='${secretPlaceholder}' oauth2-proxy --config oauth2-proxy.cfg`,
    redirectUri,
  }
}

/** mod_auth_openidc for Apache. */
export const modAuthOpenidc: SnippetOf = (app) => {
  const redirectUri = webRedirect(app)
  if (!isPlain(app) || redirectUri === undefined) return undefined
  const code = `# The redirect URI must not lead to content. The environment of Apache holds CLIENT_SECRET and CRYPTO_PASSPHRASE.
OIDCProviderMetadataURL ${apache(`${app.issuer}/.well-known/openid-configuration`)}
OIDCClientID ${apache(app.clientId)}
OIDCClientSecret "\${CLIENT_SECRET}"
OIDCProviderTokenEndpointAuth ${authMethodOf(app)}
OIDCRedirectURI ${apache(redirectUri)}
OIDCCryptoPassphrase "\${CRYPTO_PASSPHRASE}"
OIDCScope ${apache(app.scopes.join(' '))}
OIDCPKCEMethod S256
OIDCIDTokenSignedResponseAlg ${app.idTokenAlg}

<Location ${apache(new URL('.', redirectUri).pathname)}>
	AuthType openid-connect
	Require valid-user
</Location>
`
  return {
    id: 'mod-auth-openidc',
    library: 'mod_auth_openidc',
    version: '2.4',
    install: 'apt-get install libapache2-mod-auth-openidc',
    file: 'postern.conf',
    code,
    run: undefined,
    redirectUri,
  }
}

/** ASP.NET Core, which sends the secret in the form. */
export const aspNetCore: SnippetOf = (app) => {
  const redirectUri = redirectWithPath(app, '/signin-oidc')
  if (!isPlain(app) || !app.authMethods.includes('client_secret_post') || redirectUri === undefined) return undefined
  const code = `builder.Services.AddAuthentication(options => {
  options.DefaultScheme = CookieAuthenticationDefaults.AuthenticationScheme;
  options.DefaultChallengeScheme = OpenIdConnectDefaults.AuthenticationScheme;
}).AddCookie().AddOpenIdConnect(options => {
  options.Authority = ${quoted(app.issuer)};
  options.ClientId = ${quoted(app.clientId)};
  options.ClientSecret = Environment.GetEnvironmentVariable("CLIENT_SECRET");
  options.ResponseType = "code";
  options.Scope.Clear();
${app.scopes.map((scope) => `  options.Scope.Add(${quoted(scope)});`).join('\n')}
  options.MapInboundClaims = false;
  options.GetClaimsFromUserInfoEndpoint = true;
});
`
  return {
    id: 'aspnet-core',
    library: 'ASP.NET Core',
    version: undefined,
    install: 'dotnet add package Microsoft.AspNetCore.Authentication.OpenIdConnect',
    file: 'Program.cs',
    code,
    run: `${environmentOf(app)}dotnet run`,
    redirectUri,
  }
}
