import type { IncomingMessage } from 'node:http'
import { sha256 } from '#lib/crypto/hash'
import type { LeanResponse } from '#lib/http/lean'
import { hostCount, type Routes } from './route-table.ts'
import type { Asked } from './visit.ts'

/** An answer as every client gets it, but for the request id. */
type KeptAnswer = { route: string; etag: string; fields: string[]; length: string; content: string; until: number }

/** Milliseconds for which an answer is kept; a change of the signing keys shows only after this time. */
const keptFor = 1_000

/**
 * Keeps answers that any cache may keep (`Cache-Control: public`, RFC 9111 §5.2.2.9), such as the discovery document and
 * the keys, and returns them in the turn of the event loop that read the request. Holds one answer for each route.
 */
export function makeKeptAnswers(routes: Routes, issuerHost: string, common: Record<string, string>) {
  const kept = new Map<string, KeptAnswer>()
  return {
    /** Returns the kept answer to a request; undefined if its handler has to be called. */
    find({ method, url = '', headers, rawHeaders }: IncomingMessage): KeptAnswer | undefined {
      const answer = method === 'GET' ? kept.get(url) : undefined
      if (!answer || answer.until < performance.now()) return undefined
      return headers.host === issuerHost && hostCount(rawHeaders) === 1 ? answer : undefined
    },
    /** Keeps the answer of a handler; undefined if no cache may keep it. */
    keep({ method, url = '' }: IncomingMessage, response: LeanResponse): KeptAnswer | undefined {
      const { status, content, headers } = response
      const isPublic = status === 200 && headers.get('cache-control')?.startsWith('public,')
      // A target with a query is not its own template, so clients cannot add keys.
      if (method !== 'GET' || !isPublic || routes.find(url)?.template !== url) return undefined
      const etag = `"${sha256(content).slice(0, 22)}"`
      const answer = {
        route: url,
        etag,
        fields: [...fieldList(response, common), 'etag', etag],
        length: String(Buffer.byteLength(content)),
        content,
        until: performance.now() + keptFor,
      }
      kept.set(url, answer)
      return answer
    },
  }
}

export type KeptAnswers = ReturnType<typeof makeKeptAnswers>

/** Sends a kept answer in one write, or 304 to a client that has it (RFC 9110 §13.1.2). */
export function sendKept(answer: KeptAnswer, { incoming, outgoing, requestId }: Asked) {
  const { fields, etag, length, content } = answer
  const known = incoming.headers['if-none-match']
  if (known !== undefined && isAmong(known, etag)) {
    outgoing.writeHead(304, [...fields, 'x-request-id', requestId])
    outgoing.end()
    return
  }
  outgoing.writeHead(200, [...fields, 'content-length', length, 'x-request-id', requestId])
  outgoing.end(content)
}

/** Returns whether If-None-Match names an entity tag, by the weak comparison. */
const isAmong = (known: string, etag: string) =>
  known.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag)

/** Returns the headers of an answer as names and values by turns; its own headers replace the common ones. */
export function fieldList({ headers: { fields = {} } }: LeanResponse, common: Record<string, string>): string[] {
  const list: string[] = []
  for (const name in common) if (!(name in fields)) list.push(name, common[name] as string)
  for (const name in fields) list.push(name, fields[name] as string)
  return list
}
