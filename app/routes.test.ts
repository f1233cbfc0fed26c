import { describe, expect, test } from 'vitest'
import { allowed } from '#lib/server/front-door/endpoint'
import { endpoints } from './routes.ts'

/** What each endpoint serves, and by which methods web pages elsewhere may ask it (RFC 9700 §2.6). */
const served: [path: string, methods: string, fromPages: string | undefined][] = [
  ['/.well-known/openid-configuration', 'GET, HEAD, OPTIONS', 'GET'],
  ['/.well-known/oauth-authorization-server', 'GET, HEAD, OPTIONS', 'GET'],
  ['/oauth2/authorize', 'GET, HEAD, POST', undefined],
  ['/oauth2/token', 'OPTIONS, POST', 'POST'],
  ['/oauth2/jwks', 'GET, HEAD, OPTIONS', 'GET'],
  ['/oauth2/introspect', 'OPTIONS, POST', 'POST'],
  ['/oauth2/revoke', 'OPTIONS, POST', 'POST'],
  ['/userinfo', 'GET, HEAD, OPTIONS, POST', 'GET, POST'],
  ['/avatars/{}', 'GET, HEAD', undefined],
]

test('every endpoint is in this list', () => {
  expect(Object.keys(endpoints).sort()).toEqual(served.map(([path]) => path).sort())
})

describe.each(served)('%s', (path, methods, fromPages) => {
  const route = endpoints[path] ?? {}

  test(`serves ${methods} and nothing else`, () => expect(allowed(route)).toBe(methods))

  test(fromPages ? 'answers a preflight 204 and lets Authorization through' : 'answers no preflight', async () => {
    const answer = await route.OPTIONS?.(new Request('http://localhost:3000/', { method: 'OPTIONS' }))
    expect(answer?.status).toBe(fromPages && 204)
    if (!fromPages) return
    expect(Object.fromEntries(answer?.headers ?? [])).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': fromPages,
      'access-control-allow-headers': expect.stringContaining('Authorization'),
      'access-control-expose-headers': expect.stringContaining('WWW-Authenticate'),
    })
    expect(answer?.headers.has('access-control-allow-credentials')).toBe(false)
  })
})
