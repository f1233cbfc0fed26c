import { describe, expect, it } from 'vitest'
import { shareFlow } from '#lib/testing/browser/flow'
import { escapeHtml } from '#lib/text/text-rules'

const start = shareFlow()

/** A state of maximum length with every character that RFC 6749 §A.5 allows. */
const printable = Array.from({ length: 4096 }, (_, at) => String.fromCharCode(0x20 + ((at * 37) % 95))).join('')

/** States of the greatest size, 4,096 characters and 8,192 bytes; RFC 6749 §A.5 allows the characters of the first two. */
const longestStates: [string, string][] = [
  ['every printable character', printable],
  ['quotation marks, which JSON doubles', '"'.repeat(4096)],
  ['characters of two bytes', seriesOf(4096, 0x80)],
  ['characters of three bytes', seriesOf(2730, 0x1000)],
  ['characters of four bytes', seriesOf(2048, 0x10000)],
]

/** Returns different code points from `first` on, which compress badly. */
function seriesOf(count: number, first: number): string {
  const size = first === 0x80 ? 0x780 : 0x8000
  return Array.from({ length: count }, (_, at) => String.fromCodePoint(first + ((at * at * 7919) % size))).join('')
}

describe('a state of 4096 characters (OpenID Connect Core §3.1.2.1), beside a nonce of 512', () => {
  const nonce = printable.slice(0, 512)

  it.each(longestStates)('travels through sign-in and consent, and is returned exactly: %s', async (_, state) => {
    const { browser } = await start()
    const page = await browser.authorize({ state, nonce })
    const consent = await browser.signIn(page)
    for (const { url } of [page, consent]) expect(url.href.length).toBeLessThan(15 * 1024)
    const back = await browser.decide(consent)
    expect(back.parameters).toMatchObject({ state, code: expect.any(String) })
  })

  it.each(['query', 'form_post'])('is returned with errors by %s', async (response_mode) => {
    const { browser } = await start()
    const asked = { state: printable, nonce, response_mode }
    for (const wrong of [{ prompt: 'none' }, { max_age: 'x' }, { claims_locales: 'en', scope: 'name' }]) {
      const back = await browser.authorize({ ...asked, ...wrong })
      if (response_mode === 'query') expect(back.parameters.state).toBe(printable)
      else expect(await back.response.text()).toContain(`name="state" value="${escapeHtml(printable)}"`)
    }
    const cancelled = await browser.signIn(await browser.authorize(asked), { action: 'cancel' })
    if (response_mode === 'query')
      expect(cancelled.parameters).toMatchObject({ state: printable, error: 'access_denied' })
    else expect(await cancelled.response.text()).toContain(escapeHtml(printable))
  })

  it.each(longestStates)('stays in the way back of an expired request: %s', async (_, state) => {
    const { browser, later } = await start()
    const pages = [await browser.authorize({ state }), await browser.authorize({ state, response_mode: 'form_post' })]
    later(3602)
    const [byQuery, byForm] = await Promise.all(
      pages.map(async (page) => {
        const problem = await browser.problemOn(await browser.signIn(page))
        return browser.visit(problem?.back ?? '')
      }),
    )
    expect(byQuery?.parameters.state).toBe(state)
    expect(await byForm?.response.text()).toContain(`name="state" value="${escapeHtml(state)}"`)
  })
})
