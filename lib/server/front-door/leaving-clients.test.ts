import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { loadRoutes } from '#app/routes.ts'
import { kinds } from '#lib/testing/databases/databases'
import { getTokens } from '#lib/testing/oauth/get-tokens'
import { serve } from '#lib/testing/oauth/serve'
import { basic, openPostern } from '#lib/testing/process/postern'

const { endpoints } = await loadRoutes()
const clients = 200
/** Several clients send the same token, as an app does that lost its answer. */
const grants = 50
const formHeaders = { ...basic, 'content-type': 'application/x-www-form-urlencoded' }

/** Sends the whole request in one write, and resolves when the system has taken it. */
async function write(port: number, request: string) {
  const socket = connect(port, '127.0.0.1').pause()
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  await new Promise((taken) => socket.write(request, taken))
  return socket
}

it.each(kinds)(
  'answers others on %s, and loses no refresh token, when 200 clients leave or stop to read behind their forms',
  async (kind) => {
    const postern = await openPostern({ kind })
    const { send, port, close } = await serve(postern.context, endpoints)
    onTestFinished(async () => {
      close()
      await postern.close()
    })
    const { issuer } = postern.context.config
    const tokens: string[] = []
    for (let grant = 0; grant < grants; grant++) tokens.push((await getTokens(postern)).refresh_token)
    const formOf = (token: string) => String(new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token }))
    const requestOf = (token: string) => {
      const form = formOf(token)
      const fields = { host: new URL(issuer).host, ...formHeaders }
      const head = Object.entries({ ...fields, 'content-length': form.length }).map(
        ([name, value]) => `${name}: ${value}`,
      )
      return `POST /oauth2/token HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${form}`
    }
    const refresh = (token: string) =>
      send(`${issuer}/oauth2/token`, { method: 'POST', headers: formHeaders, body: formOf(token) })

    const [healthy = '', ...others] = tokens
    const sockets = Array.from({ length: clients }, async (_, index) => {
      const socket = await write(port, requestOf(others[index % others.length] as string))
      // The others stay connected, and never read.
      if (index % 2 === 0) socket.resetAndDestroy()
      return socket
    })
    expect((await refresh(healthy)).status).toBe(200)
    const mute = await Promise.all(sockets)

    // An app that has no answer sends the form again, and gets the successor, which must work.
    const successors = await Promise.all(tokens.map(async (token) => (await refresh(token)).json()))
    const answers = await Promise.all(successors.map(({ refresh_token }) => refresh(refresh_token)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    for (const socket of mute) socket.destroy()
  },
)
