import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from './postern.ts'

// Behind a trusted proxy, each request can come from its own network.
test.use({ settings: { TRUST_PROXY: '127.0.0.1,::1' } })

test('answers any URL and any headers of a page without a server error', async ({ postern }) => {
  const { accountUrl } = postern
  for (const path of ['/', '/signin?to=/account', '/signup?to=/account', '/recover', '/error', '/no-such-page'])
    for (const query of [
      'ui_locales=日本語',
      'ui_locales=%0d%0ax:y',
      `ui_locales=${'ja+'.repeat(2000)}`,
      'to=%00',
      'to=/é',
    ])
      for (const headers of [{}, { 'user-agent': '\u00ff', cookie: 'postern-flash=\u00ff; postern-session=x' }]) {
        const address = `${accountUrl}${path}${path.includes('?') ? '&' : '?'}${query}`
        const { status } = await fetch(address, { headers, redirect: 'manual' })
        expect([address, status < 500]).toEqual([address, true])
      }
})

test('answers sign-ins beyond the hashing capacity with 503 and Retry-After', async ({ postern }) => {
  const { accountUrl, issuer } = postern
  const signIn = async (number: number) => {
    const answer = await fetch(`${accountUrl}/signin/submit`, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        accept: 'text/html',
        'sec-fetch-site': 'same-origin',
        'x-forwarded-for': `10.0.${number >> 8}.${number & 255}`,
      },
      body: new URLSearchParams({ to: '/account', username: `nobody-${number}`, password: 'a password of nobody' }),
    })
    const { status, headers } = answer
    return { status, retryAfter: headers.get('retry-after'), text: await answer.text() }
  }
  const answers = await Promise.all(Array.from({ length: 400 }, (_, number) => signIn(number)))
  const refused = answers.filter(({ status }) => status !== 303)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.length).toBeLessThan(400)
  for (const { status, retryAfter, text } of refused) {
    expect([status, retryAfter]).toEqual([503, expect.stringMatching(/^([3-9]|10)$/)])
    expect(text).toContain('doesn’t count as a failed attempt')
  }
  expect((await fetch(`${issuer}/oauth2/jwks`)).status).toBe(200)
})

test('rejects two Host headers, foreign origins and other machines', async ({ postern }) => {
  const { accountUrl } = postern
  const { host, hostname, port } = new URL(accountUrl)
  // Asks the node itself: HAProxy makes one of two equal Host headers.
  const [address = hostname, own = port] = postern.env.LISTEN_ACCOUNT?.split(':') ?? []
  const socket = connect(Number(own), address)
  socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nHost: ${host}\r\n\r\n`)
  expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 400 /)
  socket.destroy()
  for (const origin of ['https://elsewhere.example', 'null']) {
    const options = { method: 'POST', body: new URLSearchParams({ use: 'signin' }), headers: { origin } }
    expect((await fetch(`${accountUrl}/passkey/options`, options)).status).toBe(403)
  }
  for (const path of ['/dev/inbox', '/dev/%69nbox', '/dev/inbox/1', '/dev/inbox/html/1', '/dev/inbox/source/1']) {
    const { status } = await fetch(accountUrl + path, { headers: { 'x-forwarded-for': '203.0.113.9' } })
    expect([path, status]).toEqual([path, 404])
  }
  expect((await fetch(`${accountUrl}/dev/inbox`)).status).toBe(200)
})
