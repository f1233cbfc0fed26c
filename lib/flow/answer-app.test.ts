import { expect, it } from 'vitest'
import type { Arrival } from '#lib/testing/browser/browser'
import { placeOf, shareFlow } from '#lib/testing/browser/flow'
import { callback } from '#lib/testing/process/postern'
import { answerReturn } from './answer-app.ts'

const setUp = shareFlow()
const hostile = `"><script>alert(1)</script>&amp;'😀</form>`
const asked = { response_mode: 'form_post', state: hostile }

/** Returns the form of a self-posting page, as a browser parses it. */
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

it('answers response_mode form_post with a page that posts code, state and iss, escaped', async () => {
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

it('lets the page run its own script and post to the app, and forbids caching and framing', async () => {
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

it('posts refusals and cancellations too', async () => {
  const { browser } = await setUp()
  const fieldsOf = async (page: Arrival) => (await formOf(page)).fields
  const answers = {
    login_required: { prompt: 'none' },
    invalid_scope: { scope: 'name' },
    invalid_request: { prompt: 'x' },
  }
  for (const [error, changed] of Object.entries(answers)) {
    const fields = await fieldsOf(await browser.authorize({ ...asked, ...changed }))
    expect(fields).toEqual({
      error,
      error_description: expect.any(String),
      state: hostile,
      iss: 'http://localhost:3000',
    })
  }
  const { request } = (await browser.authorize(asked)).parameters
  const cancelled = await browser.post('/signin/submit', { request, action: 'cancel' })
  expect(await fieldsOf(cancelled)).toMatchObject({ error: 'access_denied', state: hostile })
})

it.each([
  [{}, 'en'],
  [{ 'accept-language': 'fr, ja;q=0.9' }, 'ja'],
  [{ 'accept-language': 'ja', cookie: 'postern_language=zh-TW' }, 'zh-TW'],
])('shows the page in the chosen language, else in the browser’s: %j', async (headers, lang) => {
  const { browser, context } = await setUp()
  const { url } = await browser.authorize({ ...asked, prompt: 'none' })
  const answer = await answerReturn(context, new Request(url, { headers }))
  expect(await answer.text()).toContain(`<html lang="${lang}">`)
})

it.each(['', 'junk', 'a.b.c.d.e', 'https://evil.example/'])('shows the error page for %j', async (r) => {
  const { browser } = await setUp()
  const answer = await browser.visit(`/return?r=${encodeURIComponent(r)}`)
  expect(await browser.problemOn(answer)).toEqual({ kind: 'unreadable_request' })
})

it('opens a sealed answer for a day', async () => {
  const { browser, later } = await setUp()
  const page = await browser.authorize({ ...asked, prompt: 'none' })
  later(86_399)
  expect(placeOf(await browser.visit(page.url))).toBe('/return')
  later(1)
  expect(await browser.problemOn(await browser.visit(page.url))).toMatchObject({ kind: 'unreadable_request' })
})
