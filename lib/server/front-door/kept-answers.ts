import type { IncomingMessage } from 'node:http'
import { sha256 } from '#lib/crypto/hash'
import type { LeanResponse } from '#lib/http/lean'
import { hostCount, type Routes } from './route-table.ts'
import { sendAnswer } from './send-answer.ts'
import type { Asked } from './visit.ts'

/** An answer as every client gets it, but for the request id. */
type KeptAnswer = { route: string; etag: string; fields: string[]; length: string; content: string; isFresh(): boolean }

/** Milliseconds for which an answer is kept; a change of the signing keys shows only after this time. */
const keptFor = 1_000

/**
 * Keeps answers that any cache may keep (`Cache-Control: public`, RFC 9111 §5.2.2.9), such as the discovery document and
 * the keys, and returns them in the turn of the event loop that read the request. Holds one answer for each route.
 *
 * A kept answer is sent before the other checks of the front door, on purpose:
 * - Admission: sending it costs as little as a refusal, and an app without the keys cannot verify a token.
 * - 431: the limit on the number of headers is there for the count of Host headers, which is made here too.
 * - The deadline: no handler runs that could be late. A slow reader is the listener's concern.
 */
export function makeKeptAnswers(routes: Routes, issuerHost: string, common: Record<string, string>) {
  const kept = new Map<string, KeptAnswer>()
  return {
    /** Returns the kept answer to a request; undefined if its handler has to be called. */
    find({ method, url = '', headers, rawHeaders }: IncomingMessage): KeptAnswer | undefined {
      const answer = isRead(method) ? kept.get(url) : undefined
      if (!answer?.isFresh()) return undefined
      return headers.host === issuerHost && hostCount(rawHeaders) === 1 ? answer : undefined
    },
    /** Keeps the answer of a handler; undefined if no cache may keep it. */
    keep({ method, url = '' }: IncomingMessage, response: LeanResponse): KeptAnswer | undefined {
      const { status, content, headers } = response
      const isPublic = status === 200 && headers.get('cache-control')?.startsWith('public,')
      if (!isRead(method) || !isPublic || headers.has('set-cookie')) return undefined
      const route = routes.find(url)
      // A target with a query is not its own template, so clients cannot add keys.
      if (route?.template !== url || route.module.HEAD) return undefined
      const etag = `"${sha256(content).slice(0, 22)}"`
      const answer = {
        route: url,
        etag,
        fields: [...fieldList(response, common), 'etag', etag],
        length: String(Buffer.byteLength(content)),
        content,
        isFresh: within(keptFor),
      }
      kept.set(url, answer)
      return answer
    },
  }
}

/** The methods whose answers have the same header fields (RFC 9110 §9.3.2). */
const isRead = (method: string | undefined) => method === 'GET' || method === 'HEAD'

/**
 * Returns a function that returns whether fewer milliseconds than this have passed. On Linux, the monotonic clock stops
 * while the machine is suspended; the wall clock goes on, but can be set back.
 */
export function within(time: number): () => boolean {
  const [began, beganAt] = [performance.now(), Date.now()]
  return () => performance.now() - began < time && Date.now() - beganAt < time
}

export type KeptAnswers = ReturnType<typeof makeKeptAnswers>

/** Sends a kept answer in one write, or 304 to a client that has it (RFC 9110 §13.1.2). */
export function sendKept(answer: KeptAnswer, asked: Asked) {
  const { incoming, outgoing, requestId } = asked
  const { fields, etag, length, content } = answer
  const known = incoming.headers['if-none-match']
  if (known !== undefined && isAmong(known, etag)) {
    outgoing.writeHead(304, [...fields, 'x-request-id', requestId])
    outgoing.end()
    return
  }
  sendAnswer(asked, { status: 200, fields, content, length })
}

/** Returns whether If-None-Match names an entity tag, by the weak comparison. */
const isAmong = (known: string, etag: string) =>
  known.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag)

/**
 * Returns the headers of an answer that has `fields`, as names and values by turns; its own headers replace the common
 * ones.
 */
export function fieldList({ headers }: LeanResponse, common: Record<string, string>): string[] {
  const { cookies } = headers
  const fields = headers.fields as Record<string, string>
  const list: string[] = []
  for (const name in common) if (!(name in fields)) list.push(name, common[name] as string)
  for (const name in fields) list.push(name, fields[name] as string)
  for (const cookie of cookies) list.push('set-cookie', cookie)
  return list
}
