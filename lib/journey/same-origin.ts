/**
 * Whether a form was posted from a page of ours: Sec-Fetch-Site decides, else Origin; clients that send neither are
 * not browsers in somebody's hands, and must know the form's token anyway (security checklist, "People").
 */
export function isFromOurPages(request: Request, accountUrl: string): boolean {
  const site = request.headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin'
  const origin = request.headers.get('origin')
  return origin === null || origin === 'null' || origin === accountUrl
}
