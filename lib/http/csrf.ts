import type { Site } from './site.ts'

/**
 * The CSRF check of a form whose client sends neither Sec-Fetch-Site nor Origin (security checklist, "People"):
 * - `headers` rejects it: the form has no token, or only reads its owner from the session.
 * - `token` accepts it: the form carries a token bound to the browser, such as the sealed request, which is checked next.
 * - `session` accepts it when the form's `session` field is the public id of the session in use.
 */
export type CsrfMode = 'headers' | 'token' | { session: { sent: string; publicId: string } }

/** Returns whether one of our pages sent the request: by Sec-Fetch-Site, else by Origin, else by `mode`. */
export function isFromOurPages({ config }: Pick<Site, 'config'>, request: Request, mode: CsrfMode): boolean {
  const site = request.headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin'
  const origin = request.headers.get('origin')
  if (origin !== null && origin !== 'null') return origin === config.accountUrl
  return typeof mode === 'string' ? mode === 'token' : mode.session.sent === mode.session.publicId
}
