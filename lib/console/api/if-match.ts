/** Returns the tags of If-Match. */
export const tagsIn = ({ headers }: Request): string[] =>
  (headers.get('if-match') ?? '')
    .slice(0, 1000)
    .split(',')
    .map((tag) => tag.trim())

/** Returns whether If-Match is `*` or names this ETag. A weak tag never matches (RFC 9110 §13.1.1). */
export function namesTag(request: Request, etag: string): boolean {
  const tags = tagsIn(request)
  return tags.includes(etag) || (tags.length === 1 && tags[0] === '*')
}
