import { Agent, request } from 'node:https'

/** An array sends the field once for each value; undefined omits it. */
type Values = Record<string, string | string[] | undefined>
export type Sent = { method?: string; headers?: Values; form?: Values | URLSearchParams; body?: string }
export type Answer = { status: number; headers: Headers; text: string; json: () => ReturnType<typeof JSON.parse> }

/** The discovery document. The tests read the listed members as addresses; every other member is any JSON value. */
export type Discovery = Record<
  | 'issuer'
  | 'authorization_endpoint'
  | 'token_endpoint'
  | 'jwks_uri'
  | 'userinfo_endpoint'
  | 'revocation_endpoint'
  | 'introspection_endpoint'
  | 'end_session_endpoint'
  | 'pushed_authorization_request_endpoint',
  string
> &
  Record<string, unknown>

/** Postern answers or refuses within 10 seconds. */
const patience = 30_000

export type Sender = ReturnType<typeof openSender>

/** Opens connections to a TLS terminator on loopback, whichever host a URL names. */
export function openSender(issuer: string, port: number, ca: Buffer) {
  const agent = new Agent({ keepAlive: true })
  let addresses = 0

  function newAddress(): string {
    addresses += 1
    return `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`
  }

  function send(pathOrUrl: string | URL, { method, headers, form, body = formBody(form) }: Sent): Promise<Answer> {
    const url = new URL(pathOrUrl, issuer)
    const type = form && { 'content-type': 'application/x-www-form-urlencoded' }
    const length = body === undefined ? {} : { 'content-length': `${Buffer.byteLength(body)}` }
    const fields = { host: url.host, 'x-forwarded-for': newAddress(), ...length, ...type, ...headers }
    const options = {
      host: '127.0.0.1',
      port,
      ca,
      agent,
      servername: url.hostname,
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      path: `${url.pathname}${url.search}`,
      headers: defined(fields),
      timeout: patience,
    }
    return new Promise((resolve, reject) => {
      const asked = request(options, async (answer) => {
        let text = ''
        answer.setEncoding('utf8')
        for await (const chunk of answer) text += chunk
        const received = new Headers()
        for (const [name, values = []] of Object.entries(answer.headersDistinct))
          for (const value of values) received.append(name, value)
        resolve({ status: answer.statusCode ?? 0, headers: received, text, json: () => JSON.parse(text) })
      })
      asked.on('timeout', () => asked.destroy(new Error(`${url} did not answer.`)))
      asked.on('error', reject)
      asked.end(body)
    })
  }

  return { newAddress, send, close: () => agent.destroy() }
}

const defined = (values: Values) =>
  Object.fromEntries(
    Object.entries(values).filter((pair): pair is [string, string | string[]] => pair[1] !== undefined),
  )

/** Returns the form as its body. */
function formBody(form: Sent['form']): string | undefined {
  if (form === undefined || form instanceof URLSearchParams) return form?.toString()
  const pairs = Object.entries(defined(form)).flatMap(([name, value]) => [value].flat().map((one) => [name, one]))
  return new URLSearchParams(pairs).toString()
}
