import { type ActivityStore, originOf } from '#lib/account/activity/activity'
import { type ProfileStore, readProfile } from '#lib/account/profile/profile'
import type { Person } from '#lib/account/signed-in/session'
import type { FlashProblem } from '#lib/http/flash'

type NameContext = { profiles: Pick<ProfileStore, 'save'>; activity: ActivityStore; now(): Date }

/** Stores the name that a person without one typed on the consent page; returns the problem of an invalid name. */
export async function fillInName(
  { profiles, activity, now }: NameContext,
  request: Request,
  person: Person,
  name: string,
): Promise<FlashProblem | undefined> {
  if (person.name !== '' || name.trim() === '') return undefined
  const { typed, problems } = readProfile((field) => (field === 'name' ? name : ''), now())
  if (problems[0]) return problems[0]
  const changed = await profiles.save(person.id, { name: typed.name }, now())
  if (changed.length > 0)
    await activity.record(person.id, {
      at: now(),
      kind: 'profile_changed',
      detail: { fields: 'name' },
      ...originOf(request),
    })
  return undefined
}
