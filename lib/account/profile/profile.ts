import type { NewPicture } from '#lib/account/person/people-store'
import { profileFields, profileLimits } from '#lib/account/person/person-rules'
import { characters } from '#lib/text/text-rules'

/** The profile fields that a person edits; empty means unset (spec §2.7). */
export type Profile = Record<ProfileField, string>
export type ProfileField = keyof typeof profileFields

/** A field with an invalid value, and why it is invalid. */
export type ProfileProblem = { field: ProfileField; code: ProfileProblemCode }
export type ProfileProblemCode =
  | 'name_long'
  | 'name_characters'
  | 'nickname_long'
  | 'nickname_characters'
  | 'biography_long'
  | 'biography_characters'
  | 'birthdate_unreal'
  | 'birthdate_future'
  | 'choice'

/** The language and appearance of the pages that a person chose; empty where each browser has its own. */
export type PageLook = { pageLanguage: string; pageTheme: string }

/** The storage of profiles. */
export type ProfileStore = {
  /** Stores the given fields. Returns the changed ones; updates the time of change only when there are any. */
  save(personId: string, profile: Partial<Profile>, now: Date): Promise<ProfileField[]>
  /** Stores the language or the appearance of the pages. */
  setPageLook(personId: string, look: Partial<PageLook>): Promise<void>
  /** Replaces the picture and deletes the previous one; undefined removes the picture. False when nothing changed. */
  setPicture(personId: string, picture: NewPicture | undefined, now: Date): Promise<boolean>
}

/** Reads the profile from a form, and returns the problems of its fields (spec §2.7). */
export function readProfile(
  get: (field: ProfileField) => string,
  now: Date,
): { typed: Profile; problems: ProfileProblem[] } {
  const typed = Object.fromEntries(profileFieldNames.map((field) => [field, tidy(get(field))])) as Profile
  const problems = profileFieldNames.flatMap((field): ProfileProblem[] => {
    const code = problemOf(field, typed[field], now)
    return code ? [{ field, code }] : []
  })
  return { typed, problems }
}

const profileFieldNames = Object.keys(profileFields) as ProfileField[]

/** Browsers send line breaks in forms as CR LF. */
const tidy = (value: string) => value.replace(/\r\n?/g, '\n').trim()

function problemOf(field: ProfileField, value: string, now: Date): ProfileProblemCode | undefined {
  const valid = profileFields[field].safeParse(value).success
  switch (field) {
    case 'name':
    case 'nickname':
    case 'biography':
      if (valid) return undefined
      return characters(value) > profileLimits[field] ? `${field}_long` : `${field}_characters`
    case 'birthdate':
      if (!valid || (value !== '' && value < '1800')) return 'birthdate_unreal'
      // In some time zones it is already tomorrow.
      return value > new Date(now.getTime() + 86_400_000).toISOString() ? 'birthdate_future' : undefined
    case 'gender':
    case 'region':
    case 'locale':
      return valid ? undefined : 'choice'
  }
}
