/**
 * Every address that Postern serves, named by its folder in app/. The route table (routes.ts) and proxy.ts are made from these
 * lists: a new endpoint or page is one line here.
 */

/** The protocol endpoints and the other addresses on the host of the issuer. */
export const endpointFolders = [
  '.well-known/oauth-authorization-server',
  '.well-known/openid-configuration',
  'avatars/[file]',
  'issuer',
  'oauth2/authorize',
  'oauth2/introspect',
  'oauth2/jwks',
  'oauth2/logout',
  'oauth2/par',
  'oauth2/revoke',
  'oauth2/token',
  'userinfo',
]

/** The steps between pages (form posts, redirects, downloads), on the account host. */
export const stepFolders = [
  '(account)/.well-known/change-password',
  '(account)/account/data/delete/submit',
  '(account)/account/data/download',
  '(account)/account/data/keep',
  '(account)/account/email/confirm/send',
  '(account)/account/email/confirm/verify',
  '(account)/account/email/remove/submit',
  '(account)/account/email/resend',
  '(account)/account/email/submit',
  '(account)/account/email/verify',
  '(account)/account/hide-my-email/choice',
  '(account)/account/hide-my-email/switch',
  '(account)/account/hide-my-email/test',
  '(account)/account/picture/remove',
  '(account)/account/picture/submit',
  '(account)/account/profile/submit',
  '(account)/account/security/authenticator/off',
  '(account)/account/security/authenticator/on',
  '(account)/account/security/codes/download',
  '(account)/account/security/codes/kept',
  '(account)/account/security/codes/make',
  '(account)/account/security/passkeys/add',
  '(account)/account/security/passkeys/remove',
  '(account)/account/security/passkeys/rename',
  '(account)/account/security/password/submit',
  '(account)/account/security/sessions/end',
  '(account)/account/security/sessions/others',
  '(account)/account/sharing/change',
  '(account)/account/sharing/withdraw',
  '(console)/console/new-team/submit',
  '(console)/console/team/invite',
  '(console)/console/team/leave',
  '(console)/console/team/rename',
  '(console)/console/team/role',
  '(console)/console/team/withdraw-invitation',
  '(interaction)/bind-email/resend',
  '(interaction)/bind-email/submit',
  '(interaction)/bind-email/verify',
  '(interaction)/choose/submit',
  '(interaction)/consent/submit',
  '(interaction)/console/join/submit',
  '(interaction)/continue',
  '(interaction)/logout/end',
  '(interaction)/logout/submit',
  '(interaction)/passkey/options',
  '(interaction)/passkey/signin',
  '(interaction)/recover/by-code/submit',
  '(interaction)/recover/finish',
  '(interaction)/recover/link',
  '(interaction)/recover/resend',
  '(interaction)/recover/review/submit',
  '(interaction)/recover/submit',
  '(interaction)/recover/verify',
  '(interaction)/return',
  '(interaction)/signin/submit',
  '(interaction)/signout',
  '(interaction)/signup/check',
  '(interaction)/signup/submit',
  '(interaction)/start',
  '(interaction)/two-factor/submit',
  'dev/inbox/html/[id]',
  'dev/inbox/source/[id]',
  'language',
  'theme',
]

/** The pages that Next renders, on the account host. */
export const pageFolders = [
  '',
  '(account)/account',
  '(account)/account/activity',
  '(account)/account/apps',
  '(account)/account/apps/[id]',
  '(account)/account/data',
  '(account)/account/data/delete',
  '(account)/account/email',
  '(account)/account/email/change',
  '(account)/account/email/code',
  '(account)/account/email/confirm',
  '(account)/account/email/remove',
  '(account)/account/hide-my-email',
  '(account)/account/hide-my-email/[name]',
  '(account)/account/security',
  '(account)/account/security/authenticator',
  '(account)/account/security/codes',
  '(account)/account/security/passkeys',
  '(account)/account/security/password',
  '(console)/console',
  '(console)/console/new-team',
  '(console)/console/teams/[team]',
  '(console)/console/teams/[team]/activity',
  '(console)/console/teams/[team]/members',
  '(console)/console/teams/[team]/settings',
  '(interaction)/bind-email',
  '(interaction)/bind-email/code',
  '(interaction)/choose',
  '(interaction)/consent',
  '(interaction)/console/join',
  '(interaction)/error',
  '(interaction)/logout',
  '(interaction)/recover',
  '(interaction)/recover/by-code',
  '(interaction)/recover/code',
  '(interaction)/recover/password',
  '(interaction)/recover/review',
  '(interaction)/signin',
  '(interaction)/signup',
  '(interaction)/signup/codes',
  '(interaction)/two-factor',
  'dev/inbox',
  'dev/inbox/[id]',
  'dev/ui',
]

/** Returns the path template of a folder: without its groups, and with `{}` for a segment that varies. */
export const templateOf = (folder: string): string =>
  `/${folder.replaceAll(/\(\w+\)\/?/g, '').replaceAll(/\[\w+\]/g, '{}')}`

const endpointPath = new RegExp(`^(${endpointFolders.map(toPattern).join('|')})$`)

/** Returns whether a path belongs to the protocol and thus to the issuer's host. */
export const isEndpoint = (path: string): boolean => endpointPath.test(path)

function toPattern(folder: string): string {
  return templateOf(folder).replaceAll('.', '\\.').replaceAll('{}', '[^/]+')
}
