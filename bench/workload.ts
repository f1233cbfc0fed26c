/**
 * The requests of one measurement's virtual users. Plain data, because the load generator runs in its own process.
 * `{value}` in a header or the body is replaced by one of `values`, and `use` selects the order: `cycle` repeats the
 * list, `once` uses each value in a single request until none is left, and `chain` gives each virtual user one value
 * to start with and then the `refresh_token` of its latest answer.
 */
export type Workload = {
  method: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: string
  values?: string[]
  use?: 'cycle' | 'once' | 'chain'
  /** Text that every response must contain, with status 200; any other response is an error. */
  mustContain: string
}

/**
 * A virtual user. `next` returns the bytes of the next request, or null when none is left; `learn` reads the
 * response.
 */
export type VirtualUser = { next(): Buffer | null; learn?(body: Buffer): void }

/** Creates the virtual users of one run, which share the workload's values. */
export function makeVirtualUsers(workload: Workload, host: string, count: number): VirtualUser[] {
  const values = workload.values ?? ['']
  const write = (value: string) => writeRequest(workload, host, value)
  switch (workload.use ?? 'cycle') {
    case 'cycle': {
      const requests = values.map(write)
      let at = 0
      return users(count, () => ({ next: () => requests[at++ % requests.length] as Buffer }))
    }
    case 'once': {
      let at = 0
      const next = () => {
        const value = values[at++]
        return value === undefined ? null : write(value)
      }
      return users(count, () => ({ next }))
    }
    case 'chain':
      if (values.length < count) throw new Error(`${count} virtual users need as many values, not ${values.length}.`)
      return users(count, (index) => chain(values[index] as string, write))
  }
}

function chain(first: string, write: (value: string) => Buffer): VirtualUser {
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

const users = (count: number, make: (index: number) => VirtualUser) =>
  Array.from({ length: count }, (_, index) => make(index))

function writeRequest({ method, path, headers = {}, body }: Workload, host: string, value: string): Buffer {
  const content = body?.replace('{value}', encodeURIComponent(value))
  const lines = [`${method} ${path} HTTP/1.1`, `host: ${host}`]
  for (const [name, text] of Object.entries(headers)) lines.push(`${name}: ${text.replace('{value}', value)}`)
  if (content !== undefined) {
    lines.push('content-type: application/x-www-form-urlencoded', `content-length: ${Buffer.byteLength(content)}`)
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${content ?? ''}`)
}
