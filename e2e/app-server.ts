import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from './postern.ts'

/** Serves an app's addresses for the tests of a file; the fields are set before the first test. */
export function shareAppServer() {
  let landed: (url: URL) => void = () => undefined
  const server = createServer((incoming, outgoing) => {
    outgoing.end('back at the app')
    if (incoming.url?.startsWith('/callback')) landed(new URL(incoming.url, app.origin))
  })
  const app = {
    origin: '',
    redirectUri: '',
    /** Resolves with the address of the next answer to `redirectUri`. */
    nextAnswer: () =>
      new Promise<URL>((resolve) => {
        landed = resolve
      }),
  }
  test.beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    app.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    app.redirectUri = `${app.origin}/callback`
  })
  test.afterAll(() => {
    server.close()
    server.closeAllConnections()
  })
  return app
}
