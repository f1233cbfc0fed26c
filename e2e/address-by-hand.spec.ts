import type { Page } from '@playwright/test'
import { reverseOf } from '#lib/testing/relay/relay'
import { sendMessage } from '#lib/testing/relay/speak-smtp'
import { messagesFor } from '#lib/text/messages'
import { arrive } from './arrive.ts'
import { whenRelayHas } from './hide-from-app.ts'
import { expect, expectAccessible, test, withAndWithoutScript } from './postern.ts'

const { hideMyEmail: texts } = messagesFor('en')
const status = (page: Page) => page.locator('main [role=status] p').first()
const from = 'news@garden.example'

withAndWithoutScript(() => {
  test('makes an address by hand, forwards a site’s mail and the reply, and deletes the address', async ({
    page,
    postern,
  }) => {
    test.slow()
    const { username } = await arrive(page, postern, '/account/hide-my-email')
    const inbox = `${username}@home.example`
    await page.locator('#alias-new').click()
    await expect(page.getByText(texts.unbound.title)).toBeVisible()
    await whenRelayHas(postern, (prisma) => prisma.person.update({ where: { username }, data: { email: inbox } }))
    await page.reload()
    await expectAccessible(page)
    await page.locator('#alias-make').click()
    await expect(page.locator('#label')).toHaveAttribute('aria-invalid', 'true')
    await page.locator('#label').fill('Garden shop')
    await page.locator('#label').press('Enter')
    await expect(status(page)).toHaveText(texts.done.made.title)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Garden shop')
    await expectAccessible(page)
    const alias = (await page.locator('#relay-address').textContent()) ?? ''

    const head = `From: Garden <${from}>\r\nTo: <${alias}>\r\nSubject: Tulips ${username}\r\nMessage-ID: <${username}@garden.example>\r\n`
    const send = () => sendMessage(postern.relayPort, { from, to: alias, message: `${head}\r\nThey bloom.\r\n` })
    expect(await send()).toMatchObject({ code: 250 })
    await page.goto(`${postern.accountUrl}/dev/inbox`)
    await page.getByRole('listitem').filter({ hasText: inbox }).getByRole('link').first().click()
    const reverse = reverseOf(Buffer.from(`From: <${/r-[a-z2-9]{20}@[\w.]+/.exec(await page.content())?.[0]}>`))
    const answer = `From: <${inbox}>\r\nTo: <${reverse}>\r\nSubject: Re: Tulips\r\nIn-Reply-To: <${username}@garden.example>\r\n\r\nThank you!\r\n`
    const reply = () => sendMessage(postern.relayPort, { from: inbox, to: reverse, message: answer })
    expect(await reply()).toMatchObject({ code: 250 })

    await page.goto(`${postern.accountUrl}/account/hide-my-email`)
    await expect(page.getByText(texts.byHand)).toBeVisible()
    await page.getByRole('link', { name: 'Garden shop' }).click()
    await expect(page.locator('dl')).toContainText(`${texts.facts.replied}1`)
    await page.getByRole('button', { name: texts.delete.open }).click()
    await expectAccessible(page)
    await page.locator('#alias-delete').click()
    await expect(status(page)).toHaveText(texts.done.deleted.title)
    await expect(page.getByText(alias)).toHaveCount(0)
    expect(await send()).toMatchObject({ code: 550, text: expect.stringMatching(/^5\.1\.1/) })
    expect(await reply()).toMatchObject({ code: 550, text: expect.stringMatching(/^5\.1\.1/) })
  })
})
