import { expect, it } from 'vitest'
import { orders, shareTrials } from '#lib/testing/console/trials'
import { locales, messagesFor } from '#lib/text/messages'

const open = shareTrials()

it('asks for a token of an API of the team', async () => {
  const { begin, browser, outcome } = await open()
  const consent = await begin({ resource: orders.identifier })
  await browser.decide(consent, { scope: ['openid', 'orders.read'], email_choice: 'none' })
  const shown = await outcome()
  expect(shown?.failure).toBeUndefined()
  expect(shown?.accessToken?.claims).toMatchObject({ aud: orders.identifier, scope: 'orders.read' })
  expect(shown?.accessToken?.checks.filter(({ isGood }) => !isGood)).toEqual([])
  expect([shown?.userinfo, shown?.isRevoked]).toEqual([undefined, true])
  await begin({ resource: 'https://elsewhere.example' })
  expect(new Map((await outcome())?.parameters).has('resource')).toBe(false)
})

it('counts nothing for the app: its usage and its health show its own requests', async () => {
  const { begin, allow, outcome, context } = await open()
  const counted: string[] = []
  const { count } = context.oauth.usage
  context.oauth.usage.count = (_app, what) => void counted.push(what)
  await allow(await begin())
  context.oauth.usage.count = count
  expect((await outcome())?.isRevoked).toBe(true)
  // The consent is a real one.
  expect(counted).toEqual(['new_people'])
})

it('explains every parameter and claim in words', async () => {
  const { begin, browser, outcome } = await open()
  const scope = ['openid', 'name', 'email', 'orders.read']
  for (const sent of [{ app: 'acme-bank' }, { app: 'acme-web', resource: orders.identifier }]) {
    await browser.decide(await begin(sent), { scope, email_choice: 'regular' })
    const shown = await outcome(sent.app)
    expect(shown?.failure).toBeUndefined()
    const tokens = [shown?.idToken, shown?.accessToken].flatMap((token) => [token?.header, token?.claims])
    const names = [...(shown?.parameters ?? []), ...(shown?.answer ?? [])].map(([name]) => name)
    for (const values of [...tokens, shown?.userinfo?.claims]) names.push(...Object.keys(values ?? {}))
    for (const locale of locales)
      expect(Object.keys(messagesFor(locale).consoleTry.words)).toEqual(expect.arrayContaining(names))
  }
})
