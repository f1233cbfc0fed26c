import { describe, expect, it } from 'vitest'
import { LeanResponse, leanRequest, textResponse } from './lean.ts'

describe('a lean response', () => {
  const headers = () => ({ 'content-type': 'application/json', 'cache-control': 'no-store' })
  const lean = () => textResponse('{"a":1}', { status: 201, headers: headers() })

  it('is a Response in every property', async () => {
    const real = new Response('{"a":1}', { status: 201, headers: headers() })
    const answer = lean()
    expect(answer).toBeInstanceOf(Response)
    for (const name of ['status', 'statusText', 'ok', 'redirected', 'type', 'url', 'bodyUsed'] as const)
      expect([name, answer[name]]).toEqual([name, real[name]])
    expect([...answer.headers]).toEqual([...real.headers])
    expect(await answer.clone().json()).toEqual({ a: 1 })
    expect(await answer.text()).toBe('{"a":1}')
    expect(answer.bodyUsed).toBe(true)
    await expect(answer.text()).rejects.toThrow(TypeError)
  })

  it.each([204, 205, 304])('has no body with status %i, as Next needs it', async (status) => {
    const answer = textResponse('', { status, headers: headers() })
    expect([answer.body, await answer.text(), answer.headers.get('cache-control')]).toEqual([null, '', 'no-store'])
  })

  it('can be passed on as Next does', async () => {
    const { body, status, headers: sent } = lean()
    const copy = new Response(body, { status, headers: sent })
    expect([copy.status, copy.headers.get('cache-control'), await copy.text()]).toEqual([201, 'no-store', '{"a":1}'])
  })

  it('finds a header whatever its case, and only its own', () => {
    const answer = lean()
    answer.headers.set('X-Id', 'i')
    expect(answer.headers.get('x-id')).toBe('i')
    expect(answer.headers.get('Content-Type')).toBe('application/json')
    expect(answer.headers.has('Cache-Control')).toBe(true)
    expect([answer.headers.get('constructor'), answer.headers.has('toString')]).toEqual([null, false])
  })

  it('keeps every value of a header that is appended', () => {
    const { headers: sent } = lean()
    sent.append('vary', 'a')
    sent.append('vary', 'b')
    sent.append('set-cookie', 'a=1')
    sent.append('Set-Cookie', 'b=2')
    sent.set('x-late', 'l')
    expect(sent.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect([sent.get('vary'), sent.get('x-late'), sent.get('cache-control')]).toEqual(['a, b', 'l', 'no-store'])
    // The front door then reads the real headers.
    expect((sent as unknown as LeanResponse['headers']).fields).toBeUndefined()
  })

  it('keeps its cookies beside its fields until something else is asked for', () => {
    const { headers: sent } = lean() as unknown as LeanResponse
    sent.append('set-cookie', 'a=1')
    sent.append('Set-Cookie', 'b=2')
    expect([sent.cookies, sent.fields]).toEqual([['a=1', 'b=2'], headers()])
    expect([sent.get('content-type'), sent.get('x-none'), sent.get('set-cookie')]).toEqual([
      'application/json',
      null,
      'a=1, b=2',
    ])
    expect(sent.fields).toBeDefined()
  })

  it.each<[string, (sent: Headers) => unknown]>([
    ['get', (sent) => sent.get('Set-Cookie')],
    ['has', (sent) => [sent.has('set-cookie'), sent.has('x-none')]],
    ['set', (sent) => [sent.set('set-cookie', 'c=3'), ...sent]],
    ['set of another', (sent) => [sent.set('x-late', 'l'), ...sent]],
    ['delete', (sent) => [sent.delete('set-cookie'), ...sent]],
    ['the fields', (sent) => [...sent]],
    ['a clone', (sent) => [...new Response(null, { headers: sent }).headers]],
  ])('has the same cookies as the real headers: %s', (_, read) => {
    const all = [lean().headers, new Headers(headers())]
    const seen = all.map((sent) => {
      for (const cookie of ['a=1', 'b=2']) sent.append('set-cookie', cookie)
      return read(sent)
    })
    expect(seen[0]).toEqual(seen[1])
  })

  it('keeps a cookie among its first fields beside one that is appended', () => {
    const both = { ...headers(), 'set-cookie': 'a=1' }
    const sent = textResponse('', { headers: both }).headers
    sent.append('set-cookie', 'b=2')
    expect(sent.getSetCookie()).toEqual(['a=1', 'b=2'])
  })

  it('holds its text until something else is asked for', () => {
    const answer = lean() as unknown as LeanResponse
    expect([answer instanceof LeanResponse, answer.content]).toEqual([true, '{"a":1}'])
  })
})

describe('a lean request', () => {
  const origin = 'http://localhost:3000'
  const parts = (body?: string, method = body === undefined ? 'GET' : 'POST') => ({
    method,
    origin,
    target: '/oauth2/token?a=b|c"d',
    headers: { host: 'localhost:3000', 'content-type': 'application/x-www-form-urlencoded', 'x-a': 'b' },
    body: body === undefined ? undefined : Buffer.from(body, 'latin1'),
  })
  const real = ({ method, target, headers, body }: ReturnType<typeof parts>) =>
    new Request(origin + target, { method, headers, ...(body && { body }) })

  it('is a Request in every property', async () => {
    const [request, other] = [leanRequest(parts('a=1')), real(parts('a=1'))]
    expect(request).toBeInstanceOf(Request)
    for (const name of ['method', 'url', 'mode', 'redirect', 'credentials', 'destination', 'bodyUsed'] as const)
      expect([name, request[name]]).toEqual([name, other[name]])
    expect([...request.headers]).toEqual([...other.headers])
    expect(request.signal.aborted).toBe(false)
    expect((await request.clone().formData()).get('a')).toBe('1')
    expect(await new Response(request.body).text()).toBe('a=1')
  })

  it.each(['', 'a=%C3%A4', '\xef\xbb\xbfa=1', '\xff\xfe', 'a\0b'])(
    'decodes the body %j as a Request does',
    async (body) => {
      expect(await leanRequest(parts(body)).text()).toBe(await real(parts(body)).text())
    },
  )

  it.each([
    '/',
    '//host/x',
    '/a/../b',
    '/a b?c d',
    '/%zz?%',
    '/?q=ü€',
    '/?a=1#f',
    '/a\\b',
    '/?',
    `/?${'x'.repeat(9_000)}`,
    '/:80/@x',
  ])('has the address of a Request with the target %j', (target) => {
    const request = leanRequest({ ...parts(), target })
    expect([request.url, request.url]).toEqual([new Request(origin + target).url, request.url])
  })

  it('has no text without a body', async () => {
    const request = leanRequest(parts())
    expect([await request.text(), request.body]).toEqual(['', null])
  })

  it('finds a header whatever its case, and none of the prototype', () => {
    const { headers } = leanRequest(parts())
    expect([headers.get('X-A'), headers.has('Host'), headers.get('authorization')]).toEqual(['b', true, null])
    expect([headers.get('__proto__'), headers.get('constructor')]).toEqual([null, null])
  })
})
