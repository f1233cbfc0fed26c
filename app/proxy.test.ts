import { NextRequest } from 'next/server'
import { afterEach, expect, test } from 'vitest'
import { standInFront } from '#lib/front-door/own-headers'
import { proxy } from '../proxy.ts'

afterEach(() => {
  Object.assign(globalThis, { __posternFrontDoor: undefined })
})

/** The headers that what comes after proxy.ts sees, of those that a client or the front door has sent. */
function passedOn(url: string): Record<string, string | null> {
  const headers = { host: new URL(url).host, 'x-postern-client': '6.6.6.6', 'x-request-id': 'chosen', accept: '*/*' }
  const answer = proxy(new NextRequest(url, { headers }))
  const names = answer.headers.get('x-middleware-override-headers')?.split(',') ?? []
  return Object.fromEntries(names.map((name) => [name, answer.headers.get(`x-middleware-request-${name}`)]))
}

test.each(['http://localhost:3000/oauth2/token', 'http://localhost:3001/signin'])(
  'without a front door no client says who it is: %s',
  (url) => {
    Object.assign(globalThis, { __posternFrontDoor: undefined })
    const { 'x-postern-client': client, 'x-request-id': requestId, accept } = passedOn(url)
    expect([client, accept]).toEqual([undefined, '*/*'])
    expect(requestId).not.toBe('chosen')
  },
)

test('behind the front door what it says is believed', () => {
  standInFront()
  expect(passedOn('http://localhost:3001/signin')).toMatchObject({
    'x-postern-client': '6.6.6.6',
    'x-request-id': 'chosen',
  })
})
