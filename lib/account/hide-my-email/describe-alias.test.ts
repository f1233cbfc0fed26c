import { expect, it } from 'vitest'
import { readFlash } from '#lib/http/flash'
import { placeOf, shareFlow } from '#lib/testing/browser/flow'
import { share } from '#lib/testing/browser/share'

const start = shareFlow()

async function setUp() {
  const shared = await share(await start())
  const { context, browser, prisma, session, change } = shared
  await change({ email_choice: 'hidden' })
  const { address: alias } = await prisma.alias.findFirstOrThrow()
  await prisma.alias.updateMany({ data: { label: '', note: '' } })
  const send = (fields: Record<string, string | undefined>) =>
    browser.post('/account/hide-my-email/words', { session, alias, label: '', note: '', ...fields })
  const flash = () => readFlash(context, browser.cookies(), 'alias-words')
  const stored = async () => {
    const { label, note } = await prisma.alias.findUniqueOrThrow({ where: { address: alias } })
    return { label, note }
  }
  return { ...shared, alias, send, flash, stored }
}

it('stores a label and a note, and removes them again', async () => {
  const { send, flash, stored, alias } = await setUp()
  expect(placeOf(await send({ label: ' Newsletter ', note: 'since May\r\nfor the shop' }))).toBe(
    `/account/hide-my-email/${alias}`,
  )
  expect((await flash())?.done).toBe('words')
  expect(await stored()).toEqual({ label: 'Newsletter', note: 'since May\nfor the shop' })
  await send({})
  expect(await stored()).toEqual({ label: '', note: '' })
})

it.each([
  ['label_long', { label: 'x'.repeat(61) }],
  ['note_long', { note: 'x'.repeat(501) }],
  ['label_characters', { label: 'ab\u202Ecd' }],
  ['note_characters', { note: 'a\u0007b' }],
])('refuses %s beside its field, and keeps what was typed', async (code, fields) => {
  const { send, flash, stored } = await setUp()
  await send(fields)
  expect(await flash()).toMatchObject({ problems: [{ code }], kept: fields })
  expect(await stored()).toEqual({ label: '', note: '' })
})

it("changes no other person's address, and nothing on a page of another account", async () => {
  const { send, flash, prisma, personId, stored } = await setUp()
  await prisma.alias.create({ data: { address: 'bobs9', personId: await personId('bob'), createdAt: new Date() } })
  await send({ alias: 'bobs9', label: 'mine' })
  expect((await flash())?.problems).toEqual([{ code: 'gone' }])
  expect((await prisma.alias.findUniqueOrThrow({ where: { address: 'bobs9' } })).label).toBe('')
  await send({ label: 'mine', session: 'another' })
  expect((await flash())?.problems).toEqual([{ code: 'other_account' }])
  expect((await stored()).label).toBe('')
})
