import { expect, test } from 'vitest'
import type { Arrival } from '#lib/testing/browser/browser'
import { placeOf, shareJourney } from '#lib/testing/browser/journey'
import { callback } from '#lib/testing/process/postern'
import { answerReturn } from './answer-app.ts'

const setUp = shareJourney()
const hostile = `"><script>alert(1)</script>&amp;'😀</form>`
const asked = { response_mode: 'form_post', state: hostile }

/** The form of a page that posts itself, as a browser reads it. */
async function formOf({ response }: Arrival) {
  const html = await response.text()
  const fields = [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)]
  return {
    html,
    action: decoded(/<form method="post" action="([^"]*)">/.exec(html)?.[1] ?? ''),
    fields: Object.fromEntries(fields.map(([, name, value = '']) => [name, decoded(value)])),
  }
}

const decoded = (text: string) => text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))

test('response_mode form_post answers with a page that posts code, state and iss, escaped', async () => {
  const { browser, tokens } = await setUp()
  const page = await browser.decide(await browser.signIn(await browser.authorize(asked)))
  expect([placeOf(page), page.response.status]).toEqual(['/return', 200])
  const { html, action, fields } = await formOf(page)
  expect(action).toBe(callback)
  expect(fields).toEqual({ code: expect.any(String), state: hostile, iss: 'http://localhost:3000' })
  expect(html.match(/<script/g)).toHaveLength(1)
  expect(html).toMatch(/<noscript><button type="submit">[^<]+<\/button><\/noscript>/)
  expect(await tokens({ ...page, parameters: fields })).toHaveProperty('access_token')
})

test('the page may run its own script, may post to the app, and is kept and framed by nobody', async () => {
  const { browser } = await setUp()
  const { response } = await browser.authorize({ ...asked, prompt: 'none' })
  const policy = response.headers.get('content-security-policy') ?? ''
  const nonce = /<script nonce="([^"]+)">/.exec(await response.text())?.[1]
  expect(policy).toContain(`script-src 'nonce-${nonce}'`)
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toContain('form-action')
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('no-store')
})

test('refusals are posted too, and so is cancelling', async () => {
  const { browser } = await setUp()
  const told = async (page: Arrival) => (await formOf(page)).fields
  const answers = {
    login_required: { prompt: 'none' },
    invalid_scope: { scope: 'name' },
    invalid_request: { prompt: 'x' },
  }
  for (const [error, changed] of Object.entries(answers)) {
    const fields = await told(await browser.authorize({ ...asked, ...changed }))
    expect(fields).toEqual({
      error,
      error_description: expect.any(String),
      state: hostile,
      iss: 'http://localhost:3000',
    })
  }
  const { request } = (await browser.authorize(asked)).parameters
  const cancelled = await browser.post('/signin/submit', { request, action: 'cancel' })
  expect(await told(cancelled)).toMatchObject({ error: 'access_denied', state: hostile })
})

test.each([
  [{}, 'en'],
  [{ 'accept-language': 'fr, ja;q=0.9' }, 'ja'],
  [{ 'accept-language': 'ja', cookie: 'postern_language=zh-TW' }, 'zh-TW'],
])('the page speaks the language of the browser, or the one that was chosen: %j', async (headers, lang) => {
  const { browser, context } = await setUp()
  const { url } = await browser.authorize({ ...asked, prompt: 'none' })
  const answer = await answerReturn(context, new Request(url, { headers }))
  expect(await answer.text()).toContain(`<html lang="${lang}">`)
})

test.each(['', 'junk', 'a.b.c.d.e', 'https://evil.example/'])('the page for %j is the error page', async (r) => {
  const { browser } = await setUp()
  const answer = await browser.visit(`/return?r=${encodeURIComponent(r)}`)
  expect(await browser.problemOn(answer)).toEqual({ kind: 'unreadable_request' })
})

test('a sealed answer opens for a day', async () => {
  const { browser, later } = await setUp()
  const page = await browser.authorize({ ...asked, prompt: 'none' })
  later(86_399)
  expect(placeOf(await browser.visit(page.url))).toBe('/return')
  later(1)
  expect(await browser.problemOn(await browser.visit(page.url))).toMatchObject({ kind: 'unreadable_request' })
})
