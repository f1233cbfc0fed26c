import { describe, expect, it } from 'vitest'
import { type CsrfMode, isFromOurPages } from './csrf.ts'

const accountUrl = 'https://account.example'
const site = { config: { issuer: 'https://id.example', accountUrl, serviceName: 'Postern' } }
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
