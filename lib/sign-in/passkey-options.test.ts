import { describe, expect, it } from 'vitest'
import { sharePostern } from '#lib/testing/process/share-postern'
import { answerPasskeyOptions } from './passkey-options.ts'

const postern = sharePostern()

async function ask(headers: Record<string, string>) {
  const { context } = postern
  const body = new URLSearchParams({ use: 'signin' })
  const request = new Request(`${context.config.accountUrl}/passkey/options`, { method: 'POST', headers, body })
  const answer = await answerPasskeyOptions(context, request)
  return { status: answer.status, cookies: answer.headers.getSetCookie(), text: await answer.text() }
}

describe('the options of a passkey', () => {
  it.each([
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'same-origin', origin: 'http://localhost:3001' },
    { origin: 'http://localhost:3001' },
  ])('are returned to our pages: %j', async (headers) => {
    const { status, text } = await ask(headers as Record<string, string>)
    expect([status, text]).toEqual([200, expect.stringContaining('challenge')])
  })

  it.each([
    {},
    { origin: 'null' },
    { origin: '' },
    { origin: 'https://elsewhere.example' },
    { origin: 'http://localhost:3000' },
    { origin: 'http://localhost:3001, http://localhost:3001' },
    { origin: 'http://localhost:3001.evil.example' },
    { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:3001' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'same-origin, cross-site' },
  ])('are refused to other sites and clients: %j', async (headers) => {
    expect(await ask(headers as Record<string, string>)).toEqual({
      status: 403,
      cookies: [],
      text: '{"problem":"not_from_here"}',
    })
  })
})
