import type { IncomingMessage, ServerResponse } from 'node:http'

/** Buffers an HTML answer of Next and rewrites it before it is sent; passes other answers unchanged. */
export function rewriteHtml(incoming: IncomingMessage, outgoing: ServerResponse, rewrite: (html: string) => string) {
  delete incoming.headers['accept-encoding']
  const chunks: Buffer[] = []
  const { write, end } = outgoing
  const isHtml = () => String(outgoing.getHeader('content-type') ?? '').startsWith('text/html')
  outgoing.flushHeaders = () => undefined
  outgoing.write = ((chunk: string | Buffer, ...rest: unknown[]) => {
    if (!isHtml()) return Reflect.apply(write, outgoing, [chunk, ...rest])
    chunks.push(bytes(chunk, rest[0]))
    const done = rest.find((value) => typeof value === 'function')
    if (done) queueMicrotask(done as () => void)
    return true
  }) as typeof outgoing.write
  outgoing.end = ((chunk?: unknown, ...rest: unknown[]) => {
    if (!isHtml()) return Reflect.apply(end, outgoing, [chunk, ...rest])
    // Next also lists its scripts in this header.
    outgoing.removeHeader('link')
    if (typeof chunk === 'string' || Buffer.isBuffer(chunk)) chunks.push(bytes(chunk, rest[0]))
    const page = Buffer.from(rewrite(Buffer.concat(chunks).toString('utf8')))
    // A HEAD request renders no page, so its length is unknown; the header may be omitted (RFC 9110 §8.6).
    if (incoming.method === 'HEAD') {
      outgoing.removeHeader('content-length')
      return Reflect.apply(end, outgoing, [])
    }
    outgoing.setHeader('content-length', page.length)
    return Reflect.apply(end, outgoing, [page])
  }) as typeof outgoing.end
}

const bytes = (chunk: string | Uint8Array, encoding: unknown) =>
  typeof chunk === 'string'
    ? Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
    : Buffer.from(chunk)

const frameworkScripts = /<script\b(?![^>]*\bdata-keep\b)[^>]*>[\s\S]*?<\/script>|<link\b[^>]*\bas="script"[^>]*>/g

/** Removes all scripts except those marked data-keep: pages work without Next's scripts (design §3). */
export const withoutFramework = (html: string) => html.replace(frameworkScripts, '')

const ownScript = /(<script\b[^>]*\bdata-keep\b[^>]*\bsrc="\/([\w-]+\.js))"/g

/** Adds the version of each script of ours to its address, so that a browser need not ask for it on every page. */
export const withVersions = (html: string, versions: ReadonlyMap<string, string>) =>
  html.replace(ownScript, (whole, start, file) => (versions.has(file) ? `${start}?v=${versions.get(file)}"` : whole))

/**
 * Returns whether Next failed to render a page. Next shows errors by script only, so without scripts the page is
 * empty or has a gap.
 */
export const isBroken = (html: string) => html.includes('id="__next_error__"') || /<template data-dgst="\d/.test(html)
