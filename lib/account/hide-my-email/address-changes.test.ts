import { expect, it } from 'vitest'
import { readFlash } from '#lib/http/flash'
import { shareFlow } from '#lib/testing/browser/flow'
import { share } from '#lib/testing/browser/share'

const start = shareFlow()

it('lets an app see more sixty times an hour, and less always', async () => {
  const { context, browser, prisma, session, change, markFor, personId } = await share(await start())
  await change({ email_choice: 'hidden' })
  const { address: alias } = await prisma.alias.findFirstOrThrow()
  const send = async (action: string, fields: Record<string, string>) => {
    await browser.post(`/account/hide-my-email/${action}`, { session, alias, ...fields })
    const flash = await readFlash(context, browser.cookies(), 'hide-my-email')
    return flash?.done ?? flash?.problems[0]?.code
  }
  const choose = async (choice: string) =>
    send('choice', { email_choice: choice, shown: (await markFor('acme-web')) ?? '' })
  const kept = async () => (await prisma.consent.findFirst())?.emailChoice
  expect(await choose('regular')).toBe('regular')
  const id = await personId('ada')
  for (let count = 0; count < 60; count++) await context.emailLimits.changes.fail(id)

  expect(await choose('hidden')).toBe('hidden')
  expect(await choose('regular')).toBe('too_many')
  expect(await send('switch', { to: 'off' })).toBe('off')
  expect(await send('switch', { to: 'on' })).toBe('too_many')
  await change({ email_choice: 'regular' })
  expect(await kept()).toBe('hidden')
  await change({ email_choice: 'none' })
  expect(await kept()).toBe('none')
  await change({ email_choice: 'hidden' })
  expect(await kept()).toBe('none')
})
