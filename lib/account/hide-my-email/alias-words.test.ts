import { describe, expect, it } from 'vitest'
import { readFlash } from '#lib/http/flash'
import { placeOf, shareFlow } from '#lib/testing/browser/flow'
import { share } from '#lib/testing/browser/share'

const start = shareFlow()
const page = '/account/hide-my-email'

/** Signs ada in, who hides her address from Acme Web. */
async function setUp() {
  const shared = await share(await start())
  const { context, browser, prisma, session, change } = shared
  await change({ email_choice: 'hidden' })
  const [alias] = await prisma.alias.findMany()
  const name = alias?.address ?? ''
  const send = (action: string, fields: Record<string, string | undefined> = {}) =>
    browser.post(`${page}/${action}`, { session, alias: name, ...fields })
  const flash = () => readFlash(context, browser.cookies(), 'hide-my-email')
  const words = async () => {
    const { label, note } = await prisma.alias.findUniqueOrThrow({ where: { address: name } })
    return { label, note }
  }
  return { ...shared, name, send, flash, words }
}

describe('label and note of a relay address', () => {
  it('are stored, changed and removed, with line breaks as LF', async () => {
    const { send, words, flash, name } = await setUp()
    expect(placeOf(await send('describe', { label: ' Shop 👟 ', note: 'one\r\ntwo' }))).toBe(`${page}/${name}`)
    expect((await flash())?.done).toBe('described')
    expect(await words()).toEqual({ label: 'Shop 👟', note: 'one\ntwo' })
    await send('describe', { label: '<script>alert(1)</script>' })
    expect(await words()).toEqual({ label: '<script>alert(1)</script>', note: '' })
    await send('describe')
    expect(await words()).toEqual({ label: '', note: '' })
  })

  it.each([
    [{ label: '👟'.repeat(61) }, 'label', 'label_long'],
    [{ label: 'two\nlines' }, 'label', 'label_characters'],
    [{ label: 'moc.\u202eelpmaxe' }, 'label', 'label_characters'],
    [{ note: 'n'.repeat(501) }, 'note', 'note_long'],
    [{ note: 'a\u0007bell' }, 'note', 'note_characters'],
  ])('are refused when they are too long or hold control characters: %j', async (fields, field, code) => {
    const { send, words, flash } = await setUp()
    await send('describe', fields)
    expect(await flash()).toMatchObject({ problems: [{ field, code }], kept: fields })
    expect(await words()).toEqual({ label: '', note: '' })
  })

  it('answer a huge text without storing it', async () => {
    const { send, flash, words } = await setUp()
    await send('describe', { label: 'l'.repeat(30_000), note: 'n'.repeat(30_000) })
    expect(await flash()).toMatchObject({ problems: [{ code: 'label_long' }, { code: 'note_long' }] })
    expect(placeOf(await send('describe', { note: 'n'.repeat(70_000) }))).toBe('/error')
    expect(await words()).toEqual({ label: '', note: '' })
  })

  it("are not stored for another person's address or in another session", async () => {
    const { send, flash, prisma, personId, words } = await setUp()
    await prisma.alias.create({ data: { address: 'bobs1', personId: await personId('bob'), createdAt: new Date() } })
    await send('describe', { alias: 'bobs1', label: 'Mine' })
    expect((await flash())?.problems).toEqual([{ code: 'gone' }])
    expect((await prisma.alias.findUniqueOrThrow({ where: { address: 'bobs1' } })).label).toBe('')
    await send('describe', { session: 'another', label: 'Mine' })
    expect((await words()).label).toBe('')
  })

  it('keep one of eight concurrent pairs', async () => {
    const { send, words } = await setUp()
    await Promise.all(Array.from({ length: 8 }, (_, i) => send('describe', { label: `l${i}`, note: `n${i}` })))
    const { label, note } = await words()
    expect(label.slice(1)).toBe(note.slice(1))
  })
})

it('leads back to the searched list from a switch in the list, and never elsewhere', async () => {
  const { send } = await setUp()
  expect(placeOf(await send('switch', { to: 'off', from: 'list', q: 'a b&c' }))).toBe(page)
  const long = await send('switch', { to: 'on', from: 'list', q: `//evil.example/${'x'.repeat(5000)}` })
  expect(placeOf(long)).toBe(page)
  expect(long.parameters.q).toHaveLength(100)
})
