import { openToken, sealToken, type TokenKind } from '#lib/crypto/sealed-token'
import type { Named } from '#lib/text/localized-name'
import { goTo, pathWith } from './redirect.ts'
import type { Site } from './site.ts'

/**
 * A problem that the error page shows. It is sealed in the URL, so that a crafted link cannot put text on the page.
 */
export type Problem = {
  kind: ProblemKind
  app?: string
  /** The names of the app in some languages, by language. */
  names?: Record<string, string>
  /** The address behind "back to the app": an OAuth error response. */
  back?: string
}

export type ProblemKind = (typeof problemKinds)[number]

export const problemKinds = [
  'unknown_client',
  'bad_redirect_uri',
  'bad_request_uri',
  'bad_request',
  'bad_request_object',
  'unreadable_request',
  'other_browser',
  'expired_request',
  'already_finished',
  'not_from_here',
  'app_gone',
  'bad_logout_address',
  'bad_logout_hint',
  'bad_logout_request',
  'unknown_trial',
] as const

/**
 * Not bound to a browser: the authorization endpoint seals problems on the issuer's host, which receives no cookies.
 */
const kind: TokenKind = {
  purpose: 'seal-problem',
  seconds: 24 * 3600,
  // Fits an OAuth error response with the longest allowed `state`, in any script.
  longest: 14 * 1024,
  // A problem has no secret. The state in an address can be three times as long as the state itself.
  isDeflated: true,
}

/** Returns the part of a problem that names the app. */
export const namesOfApp = ({ name, names }: Named): Pick<Problem, 'app' | 'names'> => ({
  app: name,
  ...(Object.keys(names).length > 0 && { names }),
})

/** Redirects to the error page; `languages` are the `ui_locales` of the request. */
export function showProblem(site: Site, problem: Problem, languages?: string): Response {
  const sealed = sealToken(site, kind, 'bearer', problem)
  return goTo(pathWith(`${site.config.accountUrl}/error`, { e: sealed, ui_locales: languages }))
}

/** Returns the problem that an error page shows; undefined when the parameter is not ours or too old. */
export const openProblem = (site: Site, sealed: string): Problem | undefined => openToken(site, kind, 'bearer', sealed)
