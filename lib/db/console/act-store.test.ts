import { describe, expect, it } from 'vitest'
import type { Act, ActKind } from '#lib/console/audit/act'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'
import { writeAct } from './act-store.ts'

describe.each(kinds)('the audit trail on %s', (kind) => {
  const postern = sharePostern({ kind })
  const prisma = () => postern.context.database.prisma
  const write = (id: string, of: ActKind, target: string) => {
    const act: Act = { id, at: postern.context.now(), actor: 'ada', kind: of, target, before: {}, after: {} }
    return prisma().$transaction((tx) => writeAct(tx, 'acme', act))
  }
  const listed = async () => postern.context.acts.list('acme', undefined, 10)

  it('lists the acts of one millisecond in the order in which they were written, newest first', async () => {
    for (const id of ['m', 'a', 'z', 'b']) await write(id, 'team_renamed', '')
    expect((await listed()).slice(0, 4).map(({ id }) => id)).toEqual(['b', 'z', 'a', 'm'])
    expect((await postern.context.acts.list('acme', 'z', 2)).map(({ id }) => id)).toEqual(['a', 'm'])
  })

  it('keeps the name that an app had at the time of the act', async () => {
    const { name } = await prisma().app.findUniqueOrThrow({ where: { id: 'acme-web' } })
    await write('before', 'app_changed', 'acme-web')
    await prisma().app.update({ where: { id: 'acme-web' }, data: { name: 'Renamed' } })
    await write('after', 'secret_added', 'acme-web')
    expect((await listed()).slice(0, 2)).toMatchObject([
      { id: 'after', target: 'acme-web', targetName: 'Renamed' },
      { id: 'before', target: 'acme-web', targetName: name },
    ])
  })

  it('gives no name to a person whose username equals a client_id', async () => {
    await write('person', 'member_removed', 'acme-web')
    expect((await listed())[0]).toMatchObject({ id: 'person', targetName: '' })
  })
})
