import { z } from 'zod'
import { at, type Report, readFields, reportDuplicates } from '#lib/text/read-fields'
import { foldAddress, username } from './login-name.ts'
import { email, password, profileFields } from './person-rules.ts'

/** A person as a file declares them. An undefined field is absent from the file: an existing person keeps its value. */
export type DeclaredPerson = {
  path: string
  username: string
  password: string | undefined
  email: string | undefined
  profile: Partial<Record<ProfileField, string>>
}

export type ProfileField = keyof typeof profileFields

/** Reads the `people` of a provisioning file; reports every problem and returns the valid people (design §8). */
export function readPeople(input: unknown, relayDomain: string, report: Report): DeclaredPerson[] {
  if (input === undefined) return []
  if (!Array.isArray(input)) {
    report('people', 'must be a list')
    return []
  }
  for (const field of ['username', 'email']) reportDuplicates(folded(input, field), report)
  return input
    .map((person, index) => readPerson(person, at('people', index), relayDomain, report))
    .filter((one) => one !== null)
}

function readPerson(input: unknown, path: string, relayDomain: string, tell: Report): DeclaredPerson | null {
  let good = true
  const report: Report = (where, message) => {
    good = false
    tell(where, message)
  }
  const given = readFields(fields(relayDomain), input, path, report)
  if (!good || !given?.username) return null
  const { username: name, password: secret, email: address, ...profile } = given
  const said = Object.fromEntries(Object.entries(profile).filter(([, value]) => value !== undefined))
  return { path, username: name, password: secret, email: address || undefined, profile: said }
}

const fields = (relayDomain: string) => ({
  username,
  password: password.optional(),
  // An empty value means no address.
  email: z.preprocess((value) => (value === '' ? undefined : value), email(relayDomain).optional()),
  name: profileFields.name.optional(),
  nickname: profileFields.nickname.optional(),
  biography: profileFields.biography.optional(),
  gender: profileFields.gender.optional(),
  birthdate: profileFields.birthdate.optional(),
  region: profileFields.region.optional(),
  locale: profileFields.locale.optional(),
})

function folded(list: unknown[], field: string) {
  return list.flatMap((person, index) => {
    const value = (person as Record<string, unknown> | null)?.[field]
    return typeof value === 'string' && value !== ''
      ? [{ key: foldAddress(value), path: at('people', index, field) }]
      : []
  })
}
