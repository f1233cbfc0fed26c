import type { IncomingHttpHeaders } from 'node:http'
import { inspect } from 'node:util'

// Requests, responses and headers of the web without the cost of the real ones, which take tens of microseconds. The front
// door reads the parts that it needs; everything else is answered by a real object, built when it is asked for.

const bodyMethods = ['arrayBuffer', 'blob', 'bytes', 'clone', 'formData', 'json'] as const

/**
 * Headers over a plain record with lower-case names, and a list of cookies. Reading or setting a field costs a property
 * access; every other use but adding a cookie builds the real `Headers`, which take three microseconds.
 */
class LeanHeaders {
  #fields: Record<string, string>
  #cookies: string[] = []
  #real: Headers | undefined

  constructor(fields: Record<string, string>) {
    this.#fields = fields
  }

  get(name: string): string | null {
    if (this.#real) return this.#real.get(name)
    const field = lower(name)
    if (Object.hasOwn(this.#fields, field)) return this.#fields[field] as string
    return field === 'set-cookie' && this.#cookies.length > 0 ? this.#cookies.join(', ') : null
  }

  has(name: string): boolean {
    return this.get(name) !== null
  }

  set(name: string, value: string): void {
    const field = lower(name)
    if (this.#real || (field === 'set-cookie' && this.#cookies.length > 0)) this.real.set(name, value)
    else this.#fields[field] = value
  }

  append(name: string, value: string): void {
    const isCookie = !this.#real && lower(name) === 'set-cookie' && !Object.hasOwn(this.#fields, 'set-cookie')
    if (isCookie) this.#cookies.push(value)
    else this.real.append(name, value)
  }

  /** Returns the fields while each name but Set-Cookie has one value; undefined once the real headers exist. */
  get fields(): Readonly<Record<string, string>> | undefined {
    return this.#real ? undefined : this.#fields
  }

  /** The cookies that were appended, each a header of its own. */
  get cookies(): readonly string[] {
    return this.#cookies
  }

  /** Returns the real headers, which hold all values from then on. */
  get real(): Headers {
    if (this.#real) return this.#real
    this.#real = new Headers(this.#fields)
    for (const cookie of this.#cookies) this.#real.append('set-cookie', cookie)
    return this.#real
  }
}

// Field names are nearly always written in lower case.
const lower = (name: string) => (/[A-Z]/.test(name) ? name.toLowerCase() : name)

const rest = ['delete', 'forEach', 'keys', 'values', 'entries', 'getSetCookie', Symbol.iterator] as const
for (const name of rest) {
  Object.defineProperty(LeanHeaders.prototype, name, {
    value(this: LeanHeaders, ...given: unknown[]) {
      const { real } = this
      return (real[name] as (...given: unknown[]) => unknown).apply(real, given)
    },
  })
}
// The method of the real headers, with which `console.log` shows them, reads private fields.
Object.defineProperty(LeanHeaders.prototype, inspect.custom, {
  value(this: LeanHeaders) {
    return this.real
  },
})
Object.setPrototypeOf(LeanHeaders.prototype, Headers.prototype)

/**
 * A response whose text and headers the front door reads without a stream. Every other property is that of a real
 * `Response`, which is built when it is asked for: Next, which serves the same handlers, needs one.
 */
export class LeanResponse {
  readonly status: number
  readonly headers: LeanHeaders
  readonly content: string
  #real: Response | undefined

  constructor(content: string, status: number, headers: Record<string, string>) {
    this.content = content
    this.status = status
    this.headers = new LeanHeaders(headers)
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300
  }

  get real(): Response {
    // With an empty text, a real response would get a Content-Type, and refuse a status such as 204.
    this.#real ??= new Response(this.content || null, { status: this.status, headers: this.headers.real })
    return this.#real
  }
}

const ofResponse = ['body', 'bodyUsed', 'redirected', 'statusText', 'type', 'url'] as const
for (const name of ofResponse) {
  Object.defineProperty(LeanResponse.prototype, name, {
    get(this: LeanResponse) {
      return this.real[name]
    },
  })
}
for (const name of [...bodyMethods, 'text'] as const) {
  Object.defineProperty(LeanResponse.prototype, name, {
    value(this: LeanResponse) {
      return this.real[name]()
    },
  })
}
Object.setPrototypeOf(LeanResponse.prototype, Response.prototype)

/** Returns a response with a text; its headers are written with lower-case names. */
export function textResponse(
  text: string,
  { status = 200, headers }: { status?: number; headers: Record<string, string> },
): Response {
  return new LeanResponse(text, status, headers) as unknown as Response
}

/** The parts of a request that the front door has read. */
type Parts = {
  method: string
  origin: string
  /** The target, which starts with a slash. */
  target: string
  headers: IncomingHttpHeaders
  body: Buffer | undefined
}

/**
 * A request that has its method, headers and text at hand. Every other property is that of a real `Request`, which is
 * built when it is asked for and takes tens of microseconds.
 */
class LeanRequest {
  readonly method: string
  readonly headers: LeanHeaders
  #parts: Parts
  #url: string | undefined
  #real: Request | undefined

  constructor(parts: Parts) {
    this.method = parts.method
    this.headers = new LeanHeaders(fieldsOf(parts.headers))
    this.#parts = parts
  }

  get url(): string {
    this.#url ??= new URL(this.#parts.origin + this.#parts.target).href
    return this.#url
  }

  async text(): Promise<string> {
    return this.#parts.body ? utf8.decode(this.#parts.body) : ''
  }

  get real(): Request {
    const { origin, target, method, body } = this.#parts
    this.#real ??= new Request(origin + target, {
      method,
      headers: this.headers.real,
      ...(body && { body: body as Uint8Array<ArrayBuffer> }),
    })
    return this.#real
  }
}

const utf8 = new TextDecoder()

/** Returns the headers of a request with one text for each name. */
export function fieldsOf(headers: IncomingHttpHeaders): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const name in headers) fields[name] = String(headers[name])
  return fields
}

const ofRequest = [
  ...['body', 'bodyUsed', 'cache', 'credentials', 'destination', 'duplex', 'integrity', 'isHistoryNavigation'],
  ...['isReloadNavigation', 'keepalive', 'mode', 'redirect', 'referrer', 'referrerPolicy', 'signal'],
] as const
for (const name of ofRequest) {
  Object.defineProperty(LeanRequest.prototype, name, {
    get(this: LeanRequest) {
      return this.real[name as keyof Request]
    },
  })
}
for (const name of bodyMethods) {
  Object.defineProperty(LeanRequest.prototype, name, {
    value(this: LeanRequest) {
      return this.real[name]()
    },
  })
}
Object.setPrototypeOf(LeanRequest.prototype, Request.prototype)

/** Returns the request of a handler without the cost of a real one. */
export const leanRequest = (parts: Parts): Request => new LeanRequest(parts) as unknown as Request
