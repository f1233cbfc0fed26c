import { describe, expect, it } from 'vitest'
import { openAccount } from '#lib/testing/browser/account'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'
import { csvFile } from './csv.ts'
import { answerAliasExport } from './export-aliases.ts'

const download = (context: Parameters<typeof answerAliasExport>[0], request: Request) =>
  answerAliasExport(context, request, (name) => `${name}@relay.localhost`)

describe.each(kinds)('the list of relay addresses as CSV on %s', (kind) => {
  const postern = sharePostern({ kind })

  it('has only the person’s own addresses, and never a formula', async () => {
    const ada = await openAccount(postern)
    const { prisma } = postern.context.database
    const createdAt = postern.clock.now
    const bob = await prisma.person.findUniqueOrThrow({ where: { username: 'bob' } })
    const words = { label: '=HYPERLINK("https://evil.example")', note: 'one\n"two"' }
    const own = { address: 'k7mqp', personId: ada.personId, appId: 'acme-web', createdAt, forwarded: 2, ...words }
    await prisma.alias.create({ data: own })
    await prisma.alias.create({ data: { address: 'bobs1', personId: bob.id, createdAt } })
    const answer = await ada.fill(download)
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="ada-relay-addresses-\d{4}-\d\d-\d\d\.csv"$/,
    )
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const text = await answer.text()
    expect(text).toContain(
      `"k7mqp@relay.localhost","'=HYPERLINK(""https://evil.example"")","Acme Web","Acme","closed",` +
        `"${createdAt.toISOString()}","2","0","0","","one\n""two""","false"\r\n`,
    )
    expect(text).not.toContain('bobs1')
    expect((await ada.activity())[0]).toMatchObject({ kind: 'data_downloaded' })
  })

  it('has the label of an address made by hand, without an app', async () => {
    const ada = await openAccount(postern)
    const { prisma } = postern.context.database
    const byHand = {
      address: 'byhand1',
      personId: ada.personId,
      byHand: true,
      label: '花園',
      createdAt: postern.clock.now,
    }
    await prisma.alias.create({ data: byHand })
    const text = await (await ada.fill(download)).text()
    expect(text).toContain(`"byhand1@relay.localhost","花園","","","on","${postern.clock.now.toISOString()}","0"`)
    expect(text).toMatch(/"byhand1@.*"true"\r\n/)
  })

  it('requires a recent sign-in and a post from our pages', async () => {
    const ada = await openAccount(postern)
    const forged = await ada.fill(download, {}, { 'sec-fetch-site': 'cross-site' })
    expect(forged.headers.get('content-disposition')).toBeNull()
    postern.later(600)
    const answer = await ada.fill(download)
    expect(answer.headers.get('location')).toBe('/signin?to=%2Faccount%2Fdata&fresh=1')
  })
})

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '＝1', '＋1', '－1', '＠x'])(
  'writes %j as text, not as a formula',
  (text) => {
    expect(csvFile([[text]])).toBe(`\ufeff"'${text}"\r\n`)
  },
)
