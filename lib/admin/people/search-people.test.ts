import { describe, expect, it } from 'vitest'
import { openOperators } from '#lib/testing/admin/operators'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'
import { searchPeople } from './search-people.ts'

describe.each(kinds)('the search for people on %s', (kind) => {
  const postern = sharePostern({ kind })
  const { person } = openOperators(postern)
  const prisma = () => postern.context.database.prisma
  const found = async (typed: string, after = '') => {
    const { people, next } = await searchPeople(postern.context, typed, after, 'ops')
    return { names: people.map(({ username }) => username), next }
  }
  const idOf = async (username: string) => (await prisma().person.findUniqueOrThrow({ where: { username } })).id

  it('finds usernames by their beginning, in pages and in order', async () => {
    for (let n = 0; n < 25; n++) await person()
    const first = await found(' Person')
    expect(first.names).toHaveLength(20)
    const second = await found('person', first.next)
    expect(second).toMatchObject({ next: undefined })
    const all = [...first.names, ...second.names]
    expect(all).toEqual([...new Set(all)].sort())
    expect(all).toHaveLength(25)
  })

  it('finds a person by verified address, id and sub, and records the look', async () => {
    const id = await idOf('ada')
    const sub = 'sub-of-ada-for-acme'
    await prisma().subject.create({ data: { personId: id, teamId: 'acme', sub, createdAt: postern.context.now() } })
    for (const text of [' ADA@example.org', id, sub]) expect((await found(text)).names).toEqual(['ada'])
    const [line] = await postern.context.operatorRecord.list({ personId: id }, undefined, 10)
    expect(line).toMatchObject({ kind: 'looked', actor: 'ops', looks: 3 })
  })

  it('finds nobody by a relay address, and nobody by a part of an address', async () => {
    const [personId, appId, createdAt] = [await idOf('ada'), 'acme-web', postern.context.now()]
    await prisma().alias.create({ data: { address: 'k7m2q9x4ab', personId, appId, createdAt } })
    for (const text of ['k7m2q9x4ab', 'k7m2q9x4ab@relay.localhost', 'ada@', '@example.org', 'ada@example.orgx'])
      expect((await found(text)).names).toEqual([])
  })

  it.each(['%', '_', '%da', 'a%', '\\', "' OR 1=1 --", 'x'.repeat(100_000), '\u0000', 'ad\u0000', '\ud800', '{}', '*'])(
    'takes %j as text',
    async (text) => {
      const { names } = await found(text)
      expect(names.every((name) => name.startsWith(text.replaceAll('\0', '')))).toBe(true)
      await found('', text)
    },
  )
})
