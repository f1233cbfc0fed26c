import { characters, longText, oneOf, plainText, text } from '#lib/text/text-rules'
import { foldAddress } from './login-name.ts'
import { isWorstPassword } from './worst-passwords.ts'

/** A new password: long enough and not a commonly used one (NIST SP 800-63B §3.1.1.2). */
export const password = text
  .refine((value) => characters(value) >= 8, { error: 'must have at least 8 characters', abort: true })
  .refine((value) => characters(value) <= 256, { error: 'must have at most 256 characters', abort: true })
  .refine((value) => !isWorstPassword(value), { error: 'is a commonly used password' })

/**
 * An address as it is stored: in lower case, so that two spellings that differ only in case are the same address; the
 * domain in ASCII.
 */
export const email = (relayDomain: string) =>
  text
    .transform(foldAddress)
    .refine(isMailAddress, { error: 'must be a mail address', abort: true })
    .refine((value) => !isUnder(value.slice(value.lastIndexOf('@') + 1), relayDomain), {
      error: `must not be under ${relayDomain}: those addresses are Hide My Email ones`,
    })

/** The maximum length of each text of the profile, in characters. */
export const profileLimits = { name: 80, nickname: 80, biography: 1000 }

/** The fields of the profile; empty means unset (spec §2.7). */
export const profileFields = {
  name: plainText(0, profileLimits.name),
  nickname: plainText(0, profileLimits.nickname),
  biography: longText(profileLimits.biography),
  gender: oneOf(['', 'male', 'female', 'other']),
  birthdate: text.refine((value) => value === '' || isRealDate(value), {
    error: 'must be a real date, YYYY-MM-DD, or ""',
  }),
  region: text.regex(/^$|^[A-Z]{2}(-[A-Z0-9]{1,3})?$/, 'must be a region such as CN or CN-11 (ISO 3166), or ""'),
  locale: oneOf(['', 'zh-CN', 'zh-TW', 'en', 'ja']),
}

function isMailAddress(address: string): boolean {
  const local = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@/.exec(address)?.[0]
  if (local === undefined || local.length > 65 || address.length > 254) return false
  const domain = address.slice(local.length)
  return (
    domain.length <= 253 && /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(domain)
  )
}

const isUnder = (domain: string, parent: string) => domain === parent || domain.endsWith(`.${parent}`)

function isRealDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false
  const date = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value)
}
