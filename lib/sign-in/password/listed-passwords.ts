import { createRequire } from 'node:module'

let listed: Set<string> | undefined

/**
 * Returns whether a password is among the 49,000 most common ones, regardless of case (NIST SP 800-63B §3.1.1.2). The list
 * is read when the first new password is set.
 */
export function isListed(password: string): boolean {
  listed ??= readList()
  return listed.has(password.toLowerCase())
}

/** Shorter passwords are refused for their length. */
const shortest = 8

function readList(): Set<string> {
  const require = createRequire(import.meta.url)
  const { dictionary } = require('@zxcvbn-ts/language-common') as typeof import('@zxcvbn-ts/language-common')
  const all = dictionary['passwords-common'].map((one) => String(one).toLowerCase())
  return new Set(all.filter(({ length }) => length >= shortest))
}
