import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { sha256 } from '#lib/crypto/hash'

type Encoding = 'br' | 'gzip'
type Compress = (body: Buffer, encoding: Encoding) => Promise<Buffer>
const compressBest: Compress = (body, encoding) =>
  encoding === 'br'
    ? promisify(brotliCompress)(body, {
        params: {
          [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
          [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
        },
      })
    : promisify(gzip)(body, { level: 9 })

/** Styles, scripts and drawings of ours, which are the same for everyone. */
const kinds = /^(text\/(css|javascript)|application\/javascript|image\/svg\+xml)\b/
/** There are about forty; each is compressed once in a process and encoding. */
const kept = new Map<string, Promise<Buffer>>()
const mostKept = 200

/** Returns the version of a file for the query parameter v: with it, a browser keeps the file for a year. */
export const versionOf = (body: Uint8Array) => sha256(body).slice(0, 10)

/**
 * Compresses the files of our pages, which makes a first visit three times lighter. Pages themselves are sent as they are: they
 * hold secrets beside texts of strangers, and their compressed length would tell of them (BREACH).
 */
export function compressFiles(incoming: IncomingMessage, outgoing: ServerResponse, compress = compressBest) {
  const { 'accept-encoding': accepted = '', range } = incoming.headers
  const encoding = chooseEncoding(String(accepted))
  if (incoming.method !== 'GET' || range !== undefined || encoding === undefined) return
  const chunks: Buffer[] = []
  const { write, end } = outgoing
  const isFile = () => outgoing.statusCode === 200 && kinds.test(String(outgoing.getHeader('content-type') ?? ''))
  outgoing.write = ((chunk: string | Buffer, ...rest: unknown[]) => {
    if (!isFile()) return Reflect.apply(write, outgoing, [chunk, ...rest])
    chunks.push(Buffer.from(chunk))
    const done = rest.find((value) => typeof value === 'function')
    if (done) queueMicrotask(done as () => void)
    return true
  }) as typeof outgoing.write
  outgoing.end = ((chunk?: unknown, ...rest: unknown[]) => {
    if (!isFile()) return Reflect.apply(end, outgoing, [chunk, ...rest])
    if (typeof chunk === 'string' || Buffer.isBuffer(chunk)) chunks.push(Buffer.from(chunk))
    const whole = Buffer.concat(chunks)
    // During an upgrade, the page may come from a node of another version, whose file differs from this one.
    if (new URLSearchParams(incoming.url?.split('?')[1]).get('v') === versionOf(whole))
      outgoing.setHeader('cache-control', 'public, max-age=31536000, immutable')
    void compressOnce(whole, encoding, compress).then((body) => {
      if (outgoing.writableEnded || outgoing.destroyed) return
      outgoing.setHeader('content-encoding', encoding)
      outgoing.setHeader('vary', 'Accept-Encoding')
      outgoing.setHeader('content-length', body.length)
      outgoing.removeHeader('accept-ranges')
      // A strong ETag would promise the same bytes in every encoding (RFC 9110 §8.8.1).
      const etag = String(outgoing.getHeader('etag') ?? '')
      if (etag.startsWith('"')) outgoing.setHeader('etag', `W/${etag}`)
      Reflect.apply(end, outgoing, [body])
    })
    return outgoing
  }) as typeof outgoing.end
}

/** Brotli is about a seventh smaller than gzip; browsers offer it only over HTTPS and to loopback addresses. */
const chooseEncoding = (accepted: string): Encoding | undefined =>
  (['br', 'gzip'] as const).find((name) => accepts[name].test(accepted))
const accepts: Record<Encoding, RegExp> = {
  br: /(^|[\s,])br\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/,
  gzip: /(^|[\s,])gzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/,
}

/** A URL is not a key: a client spells the path of one file in many ways, and each would take a place. */
function compressOnce(body: Buffer, encoding: Encoding, compress: Compress): Promise<Buffer> {
  const key = `${encoding} ${sha256(body)}`
  const known = kept.get(key)
  if (known !== undefined) return known
  const work = compress(body, encoding)
  if (kept.size < mostKept) kept.set(key, work)
  return work
}
