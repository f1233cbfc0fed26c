import { password as passwordRule } from '#lib/account/person/person-rules'
import { withoutEnds } from '#lib/account/person/worst-passwords'
import { isListed } from './listed-passwords.ts'

export type PasswordProblem = 'missing' | 'short' | 'long' | 'common'

/** Returns why a password is rejected; `names` are the username and the service's name (NIST SP 800-63B §3.1.1.2). */
export function passwordProblem(password: string, ...names: string[]): PasswordProblem | undefined {
  if (password === '') return 'missing'
  const length = [...password].length
  if (length < 8) return 'short'
  if (length > 256) return 'long'
  const folded = password.toLowerCase()
  const isName = names.map((name) => name.toLowerCase().replace(/\s+/g, '')).some((name) => isMadeOf(folded, name))
  return isName || isListed(password) || !passwordRule.safeParse(password).success ? 'common' : undefined
}

/**
 * Whether a password is among the first guesses of an attacker who knows the name: the name, the name twice, or the
 * name with digits or symbols at its ends.
 */
const isMadeOf = (password: string, name: string): boolean =>
  name !== '' && [name, name + name, withoutEnds(name)].some((one) => one === password || one === withoutEnds(password))
