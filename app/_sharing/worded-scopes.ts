import { profileScopes } from '#lib/oauth/scope'

/** The scopes that pages show. The legacy scope `profile` is shown as the nine scopes that it bundles. */
const wordedScopes = ['openid', ...profileScopes, 'email'] as const

export type WordedScope = (typeof wordedScopes)[number]

/** Returns a label for use within a sentence: in lower case at the start. */
export const inSentence = (label: string): string => label.charAt(0).toLowerCase() + label.slice(1)

export const isWorded = (scope: string): scope is WordedScope => (wordedScopes as readonly string[]).includes(scope)
