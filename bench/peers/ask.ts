import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'

/** What is sent besides the address. */
export type Sent = { method: string; headers?: Record<string, string>; body?: string }
type Answer = { status: number; headers: IncomingHttpHeaders; text: string }

/**
 * Sends a request on a connection of its own: between two runs, a server closes the connections that are kept alive, and
 * a request on one of them would fail. Throws if there is no answer within a minute.
 */
export async function ask(url: string, { method, headers = {}, body }: Sent): Promise<Answer> {
  const signal = AbortSignal.timeout(60_000)
  const sent = request(url, { agent: false, method, headers, signal }).end(body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  let text = ''
  for await (const chunk of answer.setEncoding('utf8')) text += chunk
  return { status: answer.statusCode ?? 0, headers: answer.headers, text }
}

/** Sends a request and returns the JSON of its answer; throws on an error. */
export async function send(url: string, sent: Sent): Promise<Record<string, unknown>> {
  const { status, text } = await ask(url, sent)
  if (status < 200 || status > 299)
    throw new Error(`${sent.method} ${url} was answered with ${status}: ${text.slice(0, 500)}`)
  return text === '' ? {} : JSON.parse(text)
}

export const json = (method: string, body: object, headers: Record<string, string> = {}): Sent => ({
  method,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

export const form = (fields: Record<string, string>, headers: Record<string, string> = {}): Sent => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  body: String(new URLSearchParams(fields)),
})
