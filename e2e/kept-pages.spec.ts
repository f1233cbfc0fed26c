import { locales } from '#lib/text/messages'
import { expect, test } from './postern.ts'

/** Returns a page without the nonce of its scripts. */
async function read(url: string, headers: Record<string, string> = {}) {
  const answer = await fetch(url, { headers, redirect: 'manual' })
  const html = await answer.text()
  const [, nonce = ''] = /'nonce-([\w-]+)'/.exec(answer.headers.get('content-security-policy') ?? '') ?? []
  expect([answer.status, nonce.length]).toEqual([200, 22])
  const names = [...answer.headers.keys()].filter((name) => name !== 'keep-alive')
  return { nonce, html: html.replaceAll(nonce, 'nonce'), names }
}

for (const path of ['/', '/signin', '/signin?to=%2Faccount', '/signin?to=/console']) {
  test(`a stranger’s ${path} is what Next renders for everyone, in each language`, async ({ postern }) => {
    const url = postern.accountUrl + path
    const pages: string[] = []
    for (const language of [...locales, 'en-GB', 'xx']) {
      const headers = { 'accept-language': language }
      // The front door keeps no page of a browser that sends a cookie.
      const rendered = await read(url, { ...headers, cookie: 'unknown=1' })
      const planted = {
        ...headers,
        'user-agent': 'Googlebot',
        rsc: '1',
        'next-router-prefetch': '1',
        accept: 'text/plain',
      }
      const strangers = [
        await read(url, planted),
        ...(await Promise.all(Array.from({ length: 8 }, () => read(url, headers)))),
      ]
      for (const { html, names } of strangers) expect([html, names]).toEqual([rendered.html, rendered.names])
      expect(new Set(strangers.map(({ nonce }) => nonce)).size).toBe(strangers.length)
      pages.push(rendered.html)
    }
    expect(new Set(pages).size).toBeGreaterThanOrEqual(locales.length)
  })
}
