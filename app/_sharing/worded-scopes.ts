import { profileScopes } from '#lib/oauth/scope'

/** The scopes a person reads about; the legacy bundle is shown as its nine. */
const wordedScopes = ['openid', ...profileScopes, 'email'] as const

export type WordedScope = (typeof wordedScopes)[number]

/** A label that begins with a capital, within a sentence. */
export const inSentence = (label: string): string => label.charAt(0).toLowerCase() + label.slice(1)

export const isWorded = (scope: string): scope is WordedScope => (wordedScopes as readonly string[]).includes(scope)
