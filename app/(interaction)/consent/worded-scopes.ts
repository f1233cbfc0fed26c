import { profileScopes } from '#lib/oauth/scope'

/** The scopes a person reads about; the legacy bundle is shown as its nine. */
export const wordedScopes = ['openid', ...profileScopes, 'email'] as const

export type WordedScope = (typeof wordedScopes)[number]
