import { openToken, sealToken, type TokenKind } from '#lib/crypto/sealed-token'
import type { Site } from '#lib/http/site'

/** Not bound to a browser: a page makes the ticket, and a page cannot set the cookie with the browser's id. */
const kind: TokenKind = { purpose: 'seal-ticket', seconds: 3600, longest: 1024 }

/** Makes the hidden field of a sign-up form: the id of the new account, so that a double submit makes one account. */
export const makeTicket = (site: Site): string => sealToken(site, kind, 'bearer', site.random(16).toString('base64url'))

/** Returns the id of the account that the form creates; undefined for an invalid ticket. */
export const openTicket = (site: Site, sealed: string): string | undefined => openToken(site, kind, 'bearer', sealed)
