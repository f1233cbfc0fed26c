import { sha256 } from '#lib/crypto/hash'
import { sessionCookie } from '#lib/http/cookies'
import { readFlash } from '#lib/http/flash'
import type { Context } from '#lib/server/compose/context'
import type { Postern } from '#lib/testing/process/postern'

type Handler = (context: Context, request: Request) => Promise<Response>
type Headers = Record<string, string>

/** Signs a person in and returns functions that post the forms of the account. */
export async function openAccount({ context }: Pick<Postern, 'context'>, username = 'ada', amr = ['pwd']) {
  const person = await context.database.prisma.person.findUniqueOrThrow({ where: { username } })
  const secret = context.random(32).toString('base64url')
  const now = context.now()
  const session = { id: sha256(secret), publicId: context.random(16).toString('base64url') }
  const [from, expiresAt] = [{ address: '192.0.2.7', device: 'Test/1.0' }, new Date(now.getTime() + 30 * 86_400_000)]
  const opened = { ...session, ...from, personId: person.id, amr, authenticatedAt: now, expiresAt }
  await context.signIn.createSession(opened)
  const cookie = sessionCookie(context, [secret]).replace(/;.*/, '')
  const sent = { cookie, 'sec-fetch-site': 'same-origin', 'x-postern-client': '192.0.2.7', 'user-agent': 'Test/1.0' }
  const post = async (
    handler: Handler,
    body: URLSearchParams | FormData | ReadableStream | string,
    headers: Headers = {},
  ) => {
    const encoded = body instanceof FormData ? await encode(body) : { body, type: {} }
    const all = { ...sent, ...encoded.type, ...headers }
    return handler(
      context,
      new Request(`${context.config.accountUrl}/form`, {
        method: 'POST',
        body: encoded.body,
        headers: Object.entries(all).filter(([, value]) => value !== ''),
        duplex: 'half',
      } as RequestInit),
    )
  }
  return {
    personId: person.id,
    sessionId: session.id,
    publicId: session.publicId,
    cookie,
    post,
    /** Submits a plain form. */
    fill: (handler: Handler, fields: Record<string, string> = {}, headers: Headers = {}) =>
      post(handler, new URLSearchParams(fields), headers),
    stored: () => context.database.prisma.person.findUniqueOrThrow({ where: { id: person.id } }),
    activity: () => context.activity.list(person.id, undefined, 100),
    /** Returns the message that a response leaves for the page. */
    flashOf: (answer: Response, form: string) => {
      const lines = answer.headers.getSetCookie().map((line) => line.replace(/;.*/, ''))
      return readFlash(context, lines.join('; '), form)
    },
  }
}

/**
 * Returns the bytes and the content type of a form. A Request with a FormData body streams it in chunks; if the handler cancels
 * the stream, the next chunk raises an unhandled rejection.
 */
async function encode(form: FormData) {
  const encoded = new Response(form)
  const type = { 'content-type': encoded.headers.get('content-type') ?? '' }
  return { body: await encoded.arrayBuffer(), type }
}
