import { createHash } from 'node:crypto'
import { aroundLongRuns, hideInside, unwrap } from './decode-nested.ts'
import { hideHomePaths, homePathsOf } from './home-paths.ts'
import { isSpelled, type Spelling, type SpellingForm, spellingsOf } from './spellings.ts'

/** A function that puts the alias in the place of these addresses, however they are spelled (relay §6). */
export function makeHider(hidden: string[], alias: string): (text: string) => string {
  const spellings = spellingsOf(hidden)
  const paths = homePathsOf(hidden)
  const plainly = (text: string) => hideHomePaths(hideSpelled(text, spellings, alias), paths)
  return (text) => {
    const inside = unwrap(text).some((plain) => isSpelled(likely(spellings, plain), plain))
    return hideDigests(aroundLongRuns(inside ? hideInside(text, plainly) : text, plainly), hidden, alias)
  }
}

/** Returns the spellings whose literal occurs in binary data: patterns are slow where they cannot match. */
export function likely(spellings: Spelling[], text: string): Spelling[] {
  const plain = text.replaceAll('\0', '').toLowerCase()
  return spellings.filter(({ literals }) => literals.some((literal) => plain.includes(literal)))
}

/** Avatar services and mailing tools name a person by a digest of the address: guessing is all it takes to undo one. */
export const digestsOf = (address: string): string[] =>
  ['md5', 'sha1', 'sha256', 'sha512'].flatMap((name) => {
    const digest = createHash(name).update(address.trim().toLowerCase()).digest()
    // With or without the `=` at the end.
    return [digest.toString('hex'), digest.toString('base64').replace(/=+$/, ''), digest.toString('base64url')]
  })

/** One by one and in small letters: looking for a plain string leaps over its length, an expression does not. */
export function holdsDigest(text: string, digests: string[]): boolean {
  const plain = text.toLowerCase()
  return digests.some((digest) => plain.includes(digest.toLowerCase()))
}

/** The alias is written as the address was: `user=dom` becomes `alias=dom`; tags inside the match stay balanced. */
function hideSpelled(text: string, spellings: Spelling[], alias: string): string {
  return spellings.reduce(
    (rest, { pattern, form }) =>
      rest.replace(pattern, (match: string, ...found: unknown[]) => {
        const { sign } = found.at(-1) as { sign: string }
        const tags = match.replace(sign, '').match(/<[^<>]*>/g) ?? []
        return writeAlias(alias, form, sign) + tags.join('')
      }),
    text,
  )
}

function writeAlias(alias: string, form: SpellingForm, sign: string): string {
  const [local = '', domain = ''] = alias.split('@')
  switch (form) {
    case 'address':
      return local + sign + domain
    case 'reversed':
      return domain + sign + local
    case 'slug':
      return [local, ...domain.split('.')].join(sign)
  }
}

function hideDigests(text: string, hidden: string[], alias: string): string {
  const plain = text.toLowerCase()
  const stand = digestsOf(alias)
  const pairs = hidden.flatMap((address) =>
    digestsOf(address).map((digest, at) => ({ digest, by: stand[at] as string })),
  )
  return pairs
    .filter(({ digest }) => plain.includes(digest.toLowerCase()))
    .reduce((rest, { digest, by }) => rest.replace(new RegExp(RegExp.escape(digest), 'gi'), by), text)
}
