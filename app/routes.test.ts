import { describe, expect, it } from 'vitest'
import { allowed } from '#lib/server/front-door/endpoint'
import { onBothHosts } from './health.ts'
import { sharedFolders } from './paths.ts'
import { loadRoutes } from './routes.ts'

const { endpoints, steps } = await loadRoutes()

/** The methods that each endpoint serves, and those that web pages of other origins may use (RFC 9700 §2.6). */
const served: [path: string, methods: string, fromPages: string | undefined][] = [
  ['/.well-known/openid-configuration', 'GET, HEAD, OPTIONS', 'GET'],
  ['/.well-known/oauth-authorization-server', 'GET, HEAD, OPTIONS', 'GET'],
  ['/.well-known/ssf-configuration', 'GET, HEAD, OPTIONS', 'GET'],
  ['/oauth2/authorize', 'GET, HEAD, POST', undefined],
  ['/oauth2/token', 'OPTIONS, POST', 'POST'],
  ['/oauth2/jwks', 'GET, HEAD, OPTIONS', 'GET'],
  ['/oauth2/introspect', 'OPTIONS, POST', 'POST'],
  ['/oauth2/logout', 'GET, HEAD, POST', undefined],
  ['/oauth2/par', 'OPTIONS, POST', 'POST'],
  ['/oauth2/revoke', 'OPTIONS, POST', 'POST'],
  ['/register', 'OPTIONS, POST', 'POST'],
  ['/register/{}', 'DELETE, GET, HEAD, OPTIONS, PUT', 'GET, PUT, DELETE'],
  ['/userinfo', 'GET, HEAD, OPTIONS, POST', 'GET, POST'],
  ['/avatars/{}', 'GET, HEAD', undefined],
  ['/issuer', 'GET, HEAD', undefined],
]

it('serves the endpoints of this list and no other', () => {
  expect(Object.keys(endpoints).sort()).toEqual(served.map(([path]) => path).sort())
})

it('serves health checks and security.txt on both hosts', () => {
  expect(Object.keys(onBothHosts).toSorted()).toEqual(sharedFolders.map((folder) => `/${folder}`))
})

it('marks the routes of pictures, so that a busy process answers them', () => {
  const marked = Object.entries({ ...endpoints, ...steps }).filter(([, { isPicture }]) => isPicture)
  expect(marked.map(([path]) => path).toSorted()).toEqual(['/avatars/{}', '/brand/{}'])
})

it('calls each handler with the request alone', () => {
  const functions = Object.entries({ ...endpoints, ...steps }).flatMap(([path, module]) =>
    Object.entries(module).flatMap(([method, handler]) =>
      typeof handler === 'function' ? { path, method, parameters: handler.length } : [],
    ),
  )
  expect(functions.length).toBeGreaterThan(60)
  expect(functions.filter(({ parameters }) => parameters > 1)).toEqual([])
})

describe.each(served)('%s', (path, methods, fromPages) => {
  const route = endpoints[path] ?? {}

  it(`serves ${methods} and nothing else`, () => expect(allowed(route)).toBe(methods))

  it(fromPages ? 'answers a preflight 204 and lets Authorization through' : 'answers no preflight', async () => {
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
