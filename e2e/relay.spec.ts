import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import * as client from 'openid-client'
import { startMailServer } from '#lib/testing/relay/mail-server'
import { fieldOf, reverseOf } from '#lib/testing/relay/relay'
import { sendMessage } from '#lib/testing/relay/speak-smtp'
import { messagesFor } from '#lib/text/messages'
import { shareAppServer } from './app-server.ts'
import { expect, expectAccessible, test, withAndWithoutScript } from './postern.ts'
import { readingsOf } from './readings.ts'
import type { ServerProcess } from './server-process.ts'
import { signIn } from './sign-in.ts'

const texts = messagesFor('en').hideMyEmail
const appAddress = 'news@acme.example'
const secret = 'a secret with +%: and spaces'

const appServer = shareAppServer()

/** Creates a person who hides the address from a new app. Returns what the app holds and the steps of a test. */
async function hide(page: Page, postern: ServerProcess) {
  const id = randomBytes(5).toString('hex')
  const inbox = `lena.${id}@home.example`
  const person = { username: `lena-${id}`, password: 'correct horse battery', name: 'Lena Q.', email: inbox }
  const about = { client_id: `acme-${id}`, name: 'Acme Web', kind: 'confidential', client_secret: secret }
  const app = {
    ...about,
    redirect_uris: [appServer.redirectUri],
    scopes: ['openid', 'name', 'email'],
    email: 'required',
  }
  await postern.apply({ teams: [{ id: `acme-${id}`, name: 'Acme', apps: [app] }], people: [person] })
  const insecure = { execute: [client.allowInsecureRequests] }
  const method = client.ClientSecretBasic(secret)
  const config = await client.discovery(new URL(postern.issuer), app.client_id, {}, method, insecure)
  const verifier = client.randomPKCECodeVerifier()
  const challenge = await client.calculatePKCECodeChallenge(verifier)
  const state = client.randomState()
  const asked = { redirect_uri: appServer.redirectUri, scope: 'openid email', state, code_challenge: challenge }
  await page.goto(client.buildAuthorizationUrl(config, { ...asked, code_challenge_method: 'S256' }).href)
  await signIn(page, person)
  await page.locator('[name=email_choice][value=hidden]').check()
  await page.locator('#consent-allow').click()
  await page.waitForURL(`${appServer.redirectUri}?**`)
  const checks = { pkceCodeVerifier: verifier, expectedState: state }
  const tokens = await client.authorizationCodeGrant(config, new URL(page.url()), checks)
  const learn = async () => client.fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck)
  const alias = String((await learn()).email)
  const send = (subject: string, body = 'Your order is on its way.') => {
    const head = `From: News <${appAddress}>\r\nTo: <${alias}>\r\nSubject: ${subject}\r\nDate: ${new Date().toUTCString()}\r\n`
    const message = `${head}Message-ID: <${randomBytes(8).toString('hex')}@acme.example>\r\n\r\n${body}\r\n`
    return sendMessage(postern.relayPort, { from: appAddress, to: alias, message })
  }
  const reply = (reverse: string, subject: string) =>
    sendMessage(postern.relayPort, { from: inbox, to: reverse, message: replyOf(inbox, reverse, subject) })
  return { inbox, alias, learn, send, reply, aliasPage: `/account/hide-my-email/${alias.split('@')[0]}` }
}

/**
 * Returns a typical reply of a mail program, with the person's own address in every place where such programs put it.
 */
function replyOf(inbox: string, reverse: string, subject: string): string {
  const [name = '', domain = ''] = inbox.split('@')
  const html = `<p>Thank you!</p><a href="mailto:${name}%40${domain}">${name}&#64;${domain}</a><p>${inbox.toUpperCase()}</p>`
  const lines = [
    `Received: from [192.0.2.77] by mail.home.example for <${inbox}>; Fri, 20 Nov 2026 19:00:00 +0900`,
    `From: "Lena (${inbox})" <${inbox}>`,
    `Sender: ${inbox}`,
    `Reply-To: ${inbox}`,
    `To: <${reverse}>`,
    `Subject: Re: ${subject}`,
    'Date: Fri, 20 Nov 2026 19:00:00 +0900',
    `Message-ID: <${randomBytes(8).toString('hex')}.${name}@${domain}>`,
    `Autocrypt: addr=${inbox}; keydata=mQ==`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary="=_cut"',
    '',
    '--=_cut',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'Thank you!',
    `> To: ${inbox.slice(0, 9)}=`,
    `${inbox.slice(9).replace('@', '=40')}`,
    '--=_cut',
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(html).toString('base64'),
    '--=_cut--',
    '',
  ]
  return lines.join('\r\n')
}

const done = (page: Page, what: keyof typeof texts.done) =>
  expect(page.getByRole('status').filter({ hasText: texts.done[what].title })).toBeVisible()

async function press(page: Page, button: string, what: keyof typeof texts.done) {
  await page.locator(button).click()
  await done(page, what)
  await expectAccessible(page)
}

/** The worker's server with a mail server behind it that records both directions byte for byte. */
const withHop = test.extend<object, { hop: Awaited<ReturnType<typeof startMailServer>> }>({
  hop: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern.
    async ({}, use) => {
      const hop = await startMailServer()
      await use(hop)
      await hop.close()
    },
    { scope: 'worker' },
  ],
  settings: [async ({ hop }, use) => use({ SMTP_URL: hop.url }), { scope: 'worker' }],
})

withHop(
  'forwards an app’s mail and the replies through an alias, and hides the real address until the person shares it',
  async ({ page, postern, hop }) => {
    // The test opens a dozen pages and checks each with axe.
    test.slow()
    const { inbox, alias, learn, send, reply, aliasPage } = await hide(page, postern)
    expect(await learn()).toMatchObject({ email: expect.stringMatching(/^[a-z][a-z2-9]{11}@/), email_verified: true })
    const latestTo = (to: string) => hop.arrived.filter((one) => one.to.includes(to)).at(-1)?.raw

    expect(await send('Order 7')).toMatchObject({ code: 250 })
    expect(fieldOf(latestTo(inbox), 'Subject')).toBe('Order 7')
    expect(fieldOf(latestTo(inbox), 'To')).toBe(`<${alias}>`)
    const reverse = reverseOf(latestTo(inbox))

    expect(await reply(reverse, 'Order 7')).toMatchObject({ code: 250 })
    const atApp = hop.arrived.at(-1)
    expect(atApp?.to).toEqual([appAddress])
    expect(fieldOf(atApp?.raw, 'From')).toContain(`<${alias}>`)
    const read = await readingsOf(atApp as NonNullable<typeof atApp>)
    expect(read).toContain('thank you!')
    expect(read).toContain(alias)
    for (const part of [inbox, inbox.split('@')[0] as string, 'home.example', '192.0.2.77'])
      expect(read).not.toContain(part)

    await page.goto(postern.accountUrl + aliasPage)
    await expectAccessible(page)
    await press(page, '#alias-switch', 'off')
    expect(await send('Order 8')).toMatchObject({ code: 550 })
    expect(await reply(reverse, 'Order 7 once more')).toMatchObject({ code: 550 })
    await press(page, '#alias-switch', 'on')
    expect(await send('Order 9')).toMatchObject({ code: 250 })

    await page.getByRole('button', { name: texts.choice.open }).click()
    await press(page, '#alias-share', 'regular')
    expect(await learn()).toMatchObject({ email: inbox, email_verified: true })
    expect(await send('Order 10')).toMatchObject({ code: 250 })
    expect(fieldOf(latestTo(inbox), 'Subject')).toBe('Order 10')
    expect(hop.arrived.map(({ raw }) => fieldOf(raw, 'Subject'))).not.toContain('Order 8')
    expect(postern.logs()).not.toContain(inbox)
  },
)

withAndWithoutScript(() => {
  test('shows an app’s message, its reply and a test message in the inbox of an evaluation', async ({
    page,
    postern,
  }) => {
    test.slow()
    const { inbox, alias, send, reply, aliasPage } = await hide(page, postern)
    const open = async (to: string, subject: string) => {
      await page.goto(`${postern.accountUrl}/dev/inbox`)
      const letter = page.getByRole('listitem').filter({ hasText: to }).filter({ hasText: subject })
      await letter.getByRole('link').click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(subject)
      await expectAccessible(page)
    }
    const subject = `Order for ${alias}`
    expect(await send(subject)).toMatchObject({ code: 250 })
    await open(inbox, subject)
    await expect(page.locator('pre')).toContainText('Your order is on its way.')
    const reverse = /r-[a-z2-9]{20}@[\w.]+/.exec((await page.locator('dl').textContent()) ?? '')?.[0] ?? 'none'
    expect(await reply(reverse, subject)).toMatchObject({ code: 250 })
    await open(appAddress, `Re: ${subject}`)
    await expect(page.locator('dl')).toContainText(alias)
    // The relay removes a quote that may contain a name and is not known to be the app's text.
    await expect(page.locator('pre')).toContainText('Thank you!')
    expect((await page.locator('article').textContent())?.toLowerCase()).not.toContain(inbox)

    await page.goto(postern.accountUrl + aliasPage)
    await press(page, '#alias-test', 'test_sent')
    await expect(page.locator('dl')).toContainText(`${texts.facts.forwarded}2`)
    await open(inbox, texts.testMail.subject.replace('{app}', 'Acme Web'))
    await page.goto(postern.accountUrl + aliasPage)
    await press(page, '#alias-switch', 'off')
    await expect(page.locator('#alias-test')).toHaveCount(0)
    expect(await send('Refused')).toMatchObject({ code: 550, text: expect.stringMatching(/^5\.2\.1/) })
    await expect(async () => {
      await page.reload()
      await expect(page.locator('dl')).toContainText(`${texts.facts.blocked}1`, { timeout: 2000 })
    }).toPass()
  })
})
