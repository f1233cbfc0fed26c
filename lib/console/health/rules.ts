/** The standards that an app is graded against. */
export const standards = ['oauth21', 'rfc9700', 'fapi2'] as const
export type Standard = (typeof standards)[number]

/** A sentence of a standard, as it is written there. */
export type Rule = { standard: Standard; section: string; text: string }

const oauth21 = (section: string, text: string): Rule => ({ standard: 'oauth21', section, text })
const rfc9700 = (section: string, text: string): Rule => ({ standard: 'rfc9700', section, text })
const fapi2 = (section: string, text: string): Rule => ({ standard: 'fapi2', section, text })

const leastPrivilege =
  'The privileges associated with an access token SHOULD be restricted to the minimum required for the particular application or use case.'
const noHttp =
  'authorization servers MUST NOT allow redirection URIs that use the http scheme except for native clients that use loopback interface redirection'
const replayed =
  'If a refresh token is compromised and subsequently used by both the attacker and the legitimate client, one of them will present an invalidated refresh token, which will inform the authorization server of the breach.'

/** The sentences that the checks cite. */
export const rules = {
  exactRedirect: oauth21(
    '2.3.1',
    "Authorization servers MUST reject authorization requests that specify a redirect URI that doesn't exactly match one that was registered",
  ),
  exactRedirectBcp: rfc9700(
    '2.1',
    'authorization servers MUST utilize exact string matching except for port numbers in localhost redirection URIs of native apps',
  ),
  noHttpBcp: rfc9700('2.6', noHttp),
  noHttpFapi: fapi2(
    '5.3.2.2',
    'shall not allow redirect URIs that use the "http" scheme except for native clients that use loopback interface Redirection',
  ),
  challengeRequired: oauth21(
    '4.1.1',
    'Clients MUST use code_challenge and code_verifier and authorization servers MUST enforce their use except under the conditions described in Section 7.5.1.',
  ),
  challengeRecommended: rfc9700(
    '2.1.1',
    'For confidential clients, the use of PKCE [RFC7636] is RECOMMENDED, as it provides strong protection against misuse and injection of authorization codes',
  ),
  challengePublic: rfc9700('2.1.1', 'Public clients MUST use PKCE [RFC7636] to this end'),
  challengeFapi: fapi2('5.3.2.2', 'shall require PKCE [RFC7636] with S256 as the code challenge method'),
  challengeFresh: rfc9700(
    '2.1.1',
    'In any case, the PKCE challenge or OpenID Connect nonce MUST be transaction-specific and securely bound to the client and the user agent in which the transaction was started.',
  ),
  challengeFreshDraft: oauth21(
    '7.5.1.1',
    'The code_challenge or OpenID Connect nonce value MUST be transaction-specific and securely bound to the client and the user agent in which the transaction was started.',
  ),
  forgery: oauth21(
    '2.3.3',
    'Otherwise, one-time use CSRF tokens carried in the state parameter that are securely bound to the user agent MUST be used for CSRF protection',
  ),
  forgeryBcp: rfc9700(
    '2.1',
    'Otherwise, one-time use CSRF tokens carried in the state parameter that are securely bound to the user agent MUST be used for CSRF protection',
  ),
  keysRecommended: oauth21(
    '2.4',
    'It is RECOMMENDED to use asymmetric (public-key based) methods for client authentication',
  ),
  keysRecommendedBcp: rfc9700(
    '2.5',
    'It is RECOMMENDED to use asymmetric cryptography for client authentication, such as mutual TLS for OAuth 2.0 [RFC8705] or signed JWTs ("Private Key JWT")',
  ),
  keysFapi: fapi2(
    '5.3.2.1',
    'shall authenticate clients using one of the following methods: MTLS […], or private_key_jwt',
  ),
  confidentialFapi: fapi2('5.3.2.1', 'shall only support confidential clients as defined in [RFC6749]'),
  publicRedirect: oauth21(
    '2.4',
    "When client authentication is not possible, the authorization server SHOULD employ other means to validate the client's identity -- for example, by requiring the registration of the client redirect URI",
  ),
  authenticationFeasible: rfc9700(
    '2.5',
    'Authorization servers SHOULD enforce client authentication if it is feasible, in the particular deployment',
  ),
  lifecycle: oauth21(
    '2.4',
    'The privileges an authorization server associates with a certain client identity MUST depend on the assessment of the overall process for client identification and client credential lifecycle management.',
  ),
  keyRotation: oauth21('2.4', 'enables clients to manage their own keys and key rotation'),
  keySetsFapi: fapi2(
    '5.4.2',
    "For client's key management this profile recommends either the use of JWKS URI endpoints or the use of the jwks parameter",
  ),
  leastPrivilege: oauth21('7.1.4', leastPrivilege),
  leastPrivilegeBcp: rfc9700('2.3', leastPrivilege),
  leastPrivilegeFapi: fapi2(
    '5.3.3.1',
    'should request authorization with the least privileges necessary for the specific application or use case',
  ),
  rotation: oauth21('4.3.1', replayed),
  rotationBcp: rfc9700('4.14.2', replayed),
  boundTokens: oauth21(
    '1.4.3',
    'Authorization and resource servers SHOULD use mechanisms for sender-constraining access tokens',
  ),
  boundTokensBcp: rfc9700(
    '2.2.1',
    'Authorization and resource servers SHOULD use mechanisms for sender-constraining access tokens, […] to prevent misuse of stolen and leaked access tokens.',
  ),
  boundTokensFapi: fapi2('5.3.2.1', 'shall only issue sender-constrained access tokens'),
  pushedFapi: fapi2('5.3.2.2', 'shall reject authorization requests sent without [RFC9126]'),
} as const satisfies Record<string, Rule>

const documents: Record<Standard, string> = {
  oauth21: 'https://datatracker.ietf.org/doc/html/draft-ietf-oauth-v2-1',
  rfc9700: 'https://www.rfc-editor.org/rfc/rfc9700.html',
  fapi2: 'https://openid.net/specs/fapi-security-profile-2_0-final.html',
}

/** Returns the address of the section that a rule is in. */
export const addressOf = ({ standard, section }: Rule): string => `${documents[standard]}#section-${section}`
