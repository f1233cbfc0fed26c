import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { deriveKeys } from '#lib/crypto/derived-keys'
import { type CsrfMode, formLimit, isFromOurPages, receiveForm } from './form.ts'
import { openProblem } from './problem-page.ts'

const accountUrl = 'https://account.example'
const site = {
  config: { issuer: 'https://id.example', accountUrl, serviceName: 'Postern', letterLanguages: ['en' as const] },
  secrets: deriveKeys(Buffer.alloc(32, 1)),
  now: () => new Date(1_800_000_000_000),
  random: randomBytes,
}
const usual = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }
const post = (body: string, headers: Record<string, string> = usual) =>
  receiveForm(site, new Request(accountUrl, { method: 'POST', headers, body }), 'headers')

describe('receiveForm', () => {
  it('returns every value of a field', async () => {
    const form = await post('a=1&b=%E5%AD%97&a=2')
    if (form instanceof Response) throw new Error('The form was refused.')
    expect([form.get('a'), form.all('a'), form.get('b'), form.get('c')]).toEqual(['1', ['1', '2'], '字', ''])
  })

  it.each([
    ['another content type', 'a=1', { ...usual, 'content-type': 'text/plain' }],
    ['malformed encoding', 'a=%zz', usual],
    ['NUL', 'a=%00', usual],
    ['a body above the limit', `a=${'x'.repeat(formLimit)}`, usual],
    ['another site', 'a=1', { ...usual, 'sec-fetch-site': 'cross-site' }],
  ])('answers %s with the error page', async (_, body, headers) => {
    const answer = await post(body, headers)
    if (!(answer instanceof Response)) throw new Error('The form was accepted.')
    const { pathname, searchParams } = new URL(answer.headers.get('location') ?? '')
    expect(pathname).toBe('/error')
    expect(openProblem(site, searchParams.get('e') ?? '')).toEqual({ kind: 'not_from_here' })
  })

  it('answers a GET with the error page', async () => {
    expect(await receiveForm(site, new Request(accountUrl, { headers: usual }), 'token')).toBeInstanceOf(Response)
  })
})

const ask = (headers: Record<string, string>, mode: CsrfMode) =>
  isFromOurPages(site, new Request(accountUrl, { method: 'POST', headers }), mode)

const own = { session: { sent: 'a', publicId: 'a' } }
const modes: CsrfMode[] = ['headers', 'token', own]

describe('the CSRF check', () => {
  it.each([
    { 'sec-fetch-site': 'same-origin' },
    { origin: accountUrl },
    { 'sec-fetch-site': 'same-origin', origin: 'null' },
  ])('accepts %j in every mode', (headers) => {
    expect(modes.map((mode) => ask(headers, mode))).toEqual([true, true, true])
  })

  it.each([
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'cross-site', origin: accountUrl },
    { origin: 'https://id.example' },
    { origin: 'https://account.example.evil.example' },
  ])('rejects %j in every mode', (headers) => {
    expect(modes.map((mode) => ask(headers, mode))).toEqual([false, false, false])
  })

  it.each([{}, { origin: 'null' }])('accepts %j in the token modes only, if the token is right', (headers) => {
    expect(modes.map((mode) => ask(headers, mode))).toEqual([false, true, true])
    expect(ask(headers, { session: { sent: 'b', publicId: 'a' } })).toBe(false)
    expect(ask(headers, { session: { sent: '', publicId: 'a' } })).toBe(false)
  })
})
