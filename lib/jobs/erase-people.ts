import type { DeletionStore } from '#lib/account/deletion'

const people = 20
const batch = 500

/** Deletes the people whose grace is over, in steps small enough that requests pass between them (design §4). */
export async function erasePeople(store: DeletionStore, now: Date): Promise<number> {
  const due = await store.findDue(now, people)
  for (const personId of due) while (!(await store.erase(personId, now, batch)));
  return due.length
}
