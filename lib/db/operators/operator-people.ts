import type { OperatorPeople } from '#lib/admin/people/store'
import type { Database } from '#lib/db/engine/client'
import { waitStore } from '#lib/db/limits/waits'
import { idsByBeginning } from './by-beginning.ts'
import { recordLook } from './operator-acts.ts'
import { personChanges } from './person-changes.ts'
import { readPerson } from './person-view.ts'

/** Finds people for operators, and changes their accounts; calls `queued` when logout tokens may be due. */
export const operatorPeople = (database: Database, queued: () => void): OperatorPeople => ({
  async search(beginning, after, most) {
    const ids = await idsByBeginning(database, { table: 'Person', column: 'username' }, { beginning, after, most })
    const rows = await database.prisma.person.findMany({ where: { id: { in: ids } }, select: listed })
    return rows.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id))
  },
  async findExactly(text) {
    const { person, subject } = database.prisma
    if (text.includes('@')) return (await person.findUnique({ where: { email: text }, select: listed })) ?? undefined
    const known = await subject.findUnique({ where: { sub: text }, select: { personId: true } })
    return (await person.findUnique({ where: { id: known?.personId ?? text }, select: listed })) ?? undefined
  },
  look: (personId, now, actor) =>
    database.prisma.$transaction(async (tx) => {
      const person = await readPerson(tx, personId, now)
      if (person) await recordLook(tx, personId, actor, now)
      return person
    }),
  waitsUntil: (keys, now) => waitStore(database.prisma).longest(keys, now),
  ...personChanges(database.prisma, queued),
})

const listed = { id: true, username: true, disabledAt: true, deleteAfter: true } as const
