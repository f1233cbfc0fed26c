/**
 * Where a form was posted from: Sec-Fetch-Site decides, else Origin; clients that say neither are not browsers in
 * somebody's hands, and must know the form's token (security checklist, "People").
 */
export function postedFrom(request: Request, accountUrl: string): 'ours' | 'elsewhere' | 'unsaid' {
  const site = request.headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin' ? 'ours' : 'elsewhere'
  const origin = request.headers.get('origin')
  if (origin === null || origin === 'null') return 'unsaid'
  return origin === accountUrl ? 'ours' : 'elsewhere'
}

/** For forms whose own token, such as the sealed request, decides when nothing is said. */
export const isFromOurPages = (request: Request, accountUrl: string): boolean =>
  postedFrom(request, accountUrl) !== 'elsewhere'
