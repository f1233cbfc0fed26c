import { inspect } from 'node:util'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { RouteModule } from '#lib/server/front-door/route-table'
import { closeFrontDoors, openFrontDoor } from '#lib/testing/process/front-door'
import { goTo, localPath } from './redirect.ts'

const here = 'https://account.example'

describe('localPath', () => {
  it.each(['/', '/account', '/signin?r=a.b_c&x=%2F%2F', '/a//b#part'])('keeps %s', (path) => {
    expect(localPath(path)).toBe(path)
  })

  it.each([
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    'https://evil.example',
    'account',
    '',
    null,
  ])('replaces %s by the home page', (path) => {
    expect(localPath(path)).toBe('/')
  })

  it('never leaves the host and never breaks a header', () => {
    const hostile = fc.string({ unit: fc.constantFrom('/', '\\', '.', '\t', '\n', '@', ':', 'a', '%', '?', '#', 'é') })
    fc.assert(
      fc.property(hostile, (rest) => {
        const path = localPath(`/${rest}`)
        expect(new URL(path, here).origin).toBe(here)
        expect(path).toMatch(/^[\x21-\x7e]+$/)
      }),
    )
  })
})

const answering = (answer: () => Response): RouteModule => ({ GET: answer })
const redirecting = (...given: Parameters<typeof goTo>) => answering(() => goTo(...given))

describe('goTo', () => {
  afterEach(closeFrontDoors)

  it.each([
    { cookies: [], sent: undefined },
    { cookies: ['a=1'], sent: ['a=1'] },
    { cookies: ['b=2', undefined, 'a=1', 'b=2'], sent: ['b=2', 'a=1'] },
  ])('sends a redirect with the cookies $cookies through the front door', async ({ cookies, sent }) => {
    const { ask } = await openFrontDoor({}, { '/go': redirecting('/there?a=%2F', cookies) })
    const { status, text, headers } = await ask('/go')
    expect([status, text, headers['set-cookie']]).toEqual([303, '', sent])
    expect(headers).toMatchObject({
      ...{ location: '/there?a=%2F', 'cache-control': 'no-store', 'content-length': '0' },
      ...{ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' },
    })
    expect(headers['content-type']).toBeUndefined()
  })

  it('answers 500 with the request id for a location that no header can hold', async () => {
    for (const location of ['/a\r\nx-planted: 1', '/\u0000', '/€', '/\ud800']) {
      const { ask, lines } = await openFrontDoor({}, { '/go': redirecting(location) })
      const { status, headers } = await ask('/go')
      expect([status, headers['x-planted'], headers.location]).toEqual([500, undefined, undefined])
      expect(headers['x-request-id']).toHaveLength(12)
      expect(lines.join()).not.toContain('planted')
    }
  })

  it('has no body and no Content-Type, as Next passes it on', () => {
    const redirect = goTo('/there', ['a=1', 'b=2'])
    const copy = new Response(redirect.body, redirect)
    expect([copy.status, copy.body, [...copy.headers]]).toEqual([303, null, [...redirect.headers]])
    expect(copy.headers.get('content-type')).toBeNull()
    expect(copy.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(inspect(goTo('/there'))).toContain('303')
  })
})
