import type { HttpResponse } from './http-response.ts'
import { type ProofKey, proofSigner } from './proofs.ts'

/**
 * The requests of one measurement's virtual users. Plain data, because the load generator runs in its own process.
 * `{value}` in a header or the body is replaced by one of `values`, and `use` selects the order: `cycle` repeats the
 * list, `once` uses each value in a single request until none is left, `chain` gives each virtual user one value to
 * start with and then the `refresh_token` of its latest answer, and `push` follows each request with a request for
 * `authorize`.
 */
export type Workload = {
  method: 'GET' | 'POST'
  path: string
  /** The port of the path, if it is not the server's usual one. */
  port?: number | undefined
  headers?: Record<string, string>
  body?: string
  values?: string[]
  use?: 'cycle' | 'once' | 'chain' | 'push'
  /** `{proof}` in a header is replaced by a DPoP proof. `count` proofs are signed before the run. */
  proofs?: { key: ProofKey; url: string; count: number; ofToken: boolean }
  /** The authorization endpoint with the parameters beside `request_uri`, and the beginning of its redirect. */
  authorize?: { path: string; redirect: string }
  /** Text that every response must contain, with `status`; any other response is an error. */
  mustContain: string
  /** 200 or 201 if it is not named. */
  status?: number
  /** The beginning of the Location, in lower case, if every response must be a redirect (303) instead. */
  redirect?: string
}

/**
 * A virtual user. `next` returns the bytes of the next request, or null when none is left; `accepts` checks the
 * response, and `learn` reads it.
 */
export type VirtualUser = {
  next(): Buffer | null
  accepts(response: HttpResponse): boolean
  learn?(body: Buffer): void
}

/** Creates the virtual users of one run, which share the workload's values. */
export function makeVirtualUsers(workload: Workload, host: string, count: number): VirtualUser[] {
  const { values = [''], proofs } = workload
  const write = proofs ? proving(workload, host) : (value: string) => writeRequest(workload, host, value)
  const { redirect } = workload
  const accepts = redirect === undefined ? acceptsText(workload) : acceptsRedirect(redirect)
  switch (workload.use ?? 'cycle') {
    case 'cycle': {
      // Without a proof, equal requests are written once.
      const requests = proofs ? undefined : values.map(write)
      let at = 0
      const next = (index: number) => (requests ? (requests[index] as Buffer) : write(values[index] as string))
      return users(count, () => ({ accepts, next: () => next(at++ % values.length) }))
    }
    case 'once': {
      let at = 0
      const next = () => {
        const value = values[at++]
        return value === undefined ? null : write(value)
      }
      return users(count, () => ({ accepts, next }))
    }
    case 'chain':
      if (values.length < count) throw new Error(`${count} virtual users need as many values, not ${values.length}.`)
      return users(count, (index) => ({ accepts, ...chain(values[index] as string, write) }))
    case 'push':
      return users(count, () => pushAndAuthorize(workload, host))
  }
}

type Write = (value: string) => Buffer | null

/** Signs all proofs now, in the order in which the requests use the values. */
function proving(workload: Workload, host: string): Write {
  const { proofs, values = [] } = workload
  if (!proofs) throw new Error('The workload has no proofs.')
  const signProof = proofSigner(proofs.key, workload.method, proofs.url)
  const ready = Array.from({ length: proofs.count }, (_, index) =>
    signProof(proofs.ofToken ? values[index % values.length] : undefined),
  )
  let used = 0
  return (value) => {
    const proof = ready[used++]
    return proof === undefined ? null : writeRequest(workload, host, value, proof)
  }
}

function acceptsText({ mustContain, status: wanted }: Workload): VirtualUser['accepts'] {
  const expected = Buffer.from(mustContain)
  const isRight = (status: number) => (wanted === undefined ? status === 200 || status === 201 : status === wanted)
  return ({ status, body }) => isRight(status) && body.includes(expected)
}

const acceptsRedirect =
  (location: string): VirtualUser['accepts'] =>
  ({ status, headers }) =>
    status === 303 && headers.includes(`\r\nlocation: ${location}`)

function chain(first: string, write: Write): Pick<VirtualUser, 'next' | 'learn'> {
  let token = first
  return {
    next: () => write(token),
    learn(body) {
      const successor = /"refresh_token":"([^"]+)"/.exec(body.toString('latin1'))?.[1]
      if (!successor || successor === token) throw new Error('The refresh token was not rotated.')
      token = successor
    },
  }
}

/** Pushes a request and then opens its request_uri as a browser without a session, which is redirected. */
function pushAndAuthorize(workload: Workload, host: string): VirtualUser {
  const { authorize } = workload
  if (!authorize) throw new Error('The workload has no authorization endpoint.')
  const push = writeRequest(workload, host, '')
  const isPushed = acceptsText(workload)
  const isRedirected = acceptsRedirect(authorize.redirect)
  let uri: string | undefined
  const open = (pushed: string) => {
    const path = `${authorize.path}&request_uri=${encodeURIComponent(pushed)}`
    return writeRequest({ method: 'GET', path, mustContain: '' }, host, '')
  }
  return {
    next: () => (uri === undefined ? push : open(uri)),
    accepts: (response) => (uri === undefined ? isPushed(response) : isRedirected(response)),
    learn(body) {
      uri = uri === undefined ? /"request_uri":"([^"]+)"/.exec(body.toString('latin1'))?.[1] : undefined
    },
  }
}

const users = (count: number, make: (index: number) => VirtualUser) =>
  Array.from({ length: count }, (_, index) => make(index))

function writeRequest({ method, path, headers = {}, body }: Workload, host: string, value: string, proof = ''): Buffer {
  const content = body?.replace('{value}', encodeURIComponent(value))
  const lines = [`${method} ${path} HTTP/1.1`, `host: ${host}`]
  for (const [name, text] of Object.entries(headers))
    lines.push(`${name}: ${text.replace('{value}', value).replace('{proof}', proof)}`)
  if (content !== undefined) {
    lines.push('content-type: application/x-www-form-urlencoded', `content-length: ${Buffer.byteLength(content)}`)
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${content ?? ''}`)
}
