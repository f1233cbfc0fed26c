import { describe, expect, it } from 'vitest'
import { openBrowser } from '#lib/testing/browser/browser'
import { placeOf, shareFlow } from '#lib/testing/browser/flow'
import { giveTotp } from '#lib/testing/browser/people'
import { messagesFor } from '#lib/text/messages'

const setUp = shareFlow()
const asked = { ui_locales: 'fr ja' }
const broken = '&scope=%E0%A4%A'

describe('the ui_locales of a request (OpenID Connect Core §3.1.2.1, RP-Initiated Logout 1.0 §2)', () => {
  it.each<[string, Record<string, string> | string]>([
    ['an unknown app', { ...asked, client_id: 'nobody' }],
    ['an unregistered redirect URI', { ...asked, redirect_uri: 'https://elsewhere.example/' }],
    ['an unknown request_uri', { ...asked, request_uri: `urn:ietf:params:oauth:request_uri:${'x'.repeat(43)}` }],
    ['a broken encoding', `client_id=acme-web&ui_locales=fr+ja${broken}`],
  ])('choose the language of the error page for %s', async (_, request) => {
    const { browser } = await setUp()
    const page =
      typeof request === 'string'
        ? await browser.visit(`http://localhost:3000/oauth2/authorize?${request}`)
        : await browser.authorize(request)
    expect([placeOf(page), page.parameters.ui_locales]).toEqual(['/error', 'fr ja'])
  })

  it('choose the language of the error page for a refused logout', async () => {
    const { browser } = await setUp()
    for (const query of ['client_id=nobody&ui_locales=fr+ja', `ui_locales=fr+ja${broken}`]) {
      const page = await browser.visit(`http://localhost:3000/oauth2/logout?${query}`)
      expect([placeOf(page), page.parameters.ui_locales]).toEqual(['/error', 'fr ja'])
    }
  })

  it('choose the language of the error page in another browser, unless the person has chosen one there', async () => {
    const { browser, context } = await setUp()
    const { request = '' } = (await browser.authorize(asked)).parameters
    const elsewhere = openBrowser(context)
    const visit = () => elsewhere.visit(`/continue?${new URLSearchParams({ request })}`)
    expect((await visit()).parameters.ui_locales).toBe('fr ja')
    elsewhere.jar.set('postern_language', 'en')
    const page = await visit()
    expect([placeOf(page), page.parameters.ui_locales]).toEqual(['/error', undefined])
  })

  it('stay on the pages of a sign-in', async () => {
    const { browser, context, personId } = await setUp()
    await giveTotp(context, await personId('ada'))
    const page = await browser.signIn(await browser.authorize(asked))
    expect([placeOf(page), page.parameters.ui_locales]).toEqual(['/two-factor', 'fr ja'])
    const again = await browser.post('/two-factor/submit', { ...page.parameters, code: 'x' })
    expect([placeOf(again), again.parameters.ui_locales]).toEqual(['/two-factor', 'fr ja'])
    await context.database.prisma.totp.deleteMany()
  })

  it('choose the language of the page that posts an answer, also an error', async () => {
    const { browser } = await setUp()
    for (const changed of [{ prompt: 'none' }, { scope: 'name' }]) {
      const { response } = await browser.authorize({ ...asked, ...changed, response_mode: 'form_post' })
      const html = await response.text()
      expect(html).toContain('<html lang="ja">')
      expect(html).toContain(messagesFor('ja').return.button)
    }
  })
})
