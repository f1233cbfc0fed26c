import { foldAddress, foldUsername } from '#lib/account/person/login-name'
import type { AdminContext } from '#lib/admin/context'
import type { ListedPerson } from './store.ts'

/** The people on one page of a search. */
const searchLength = 20

/**
 * Returns the people of a search, and the username after which the next page begins. A text finds people by the beginning
 * of the username; a whole text also by verified address, id, or the sub that an app knows. A relay address has no result:
 * no page leads from an alias to a person. A match by anything but the username counts as a look at the person.
 */
export async function searchPeople(
  { operatorPeople, now }: Pick<AdminContext, 'operatorPeople' | 'now'>,
  typed: string,
  after: string,
  operator: string,
): Promise<{ people: ListedPerson[]; next: string | undefined }> {
  const text = typed.replaceAll('\0', '').trim().slice(0, 254)
  const listed = text.includes('@')
    ? []
    : await operatorPeople.search(foldUsername(text), after.replaceAll('\0', ''), searchLength + 1)
  const people = listed.slice(0, searchLength)
  const next = listed.length > searchLength ? people.at(-1)?.username : undefined
  if (text === '' || after !== '') return { people, next }
  const exact = await operatorPeople.findExactly(text.includes('@') ? foldAddress(text) : text)
  if (!exact || people.some(({ id }) => id === exact.id)) return { people, next }
  await operatorPeople.look(exact.id, now(), operator)
  return { people: [exact, ...people], next }
}
