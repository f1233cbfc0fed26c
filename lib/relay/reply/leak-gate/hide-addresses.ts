import { aroundLongRuns, hideInside, unwrap } from './decode-nested.ts'
import { hideHomePaths, homePathsOf } from './home-paths.ts'
import { digestsOf, holdsDigest, isHexadecimal } from './inbox-names.ts'
import { matchesSpelling, possibleSpellings, type Spelling, type SpellingForm, spellingsOf } from './spellings.ts'

/**
 * Returns a function that replaces these addresses by the alias in every spelling, and also their digests and the
 * home folders named after them (relay §6).
 */
export function makeHider(hidden: string[], alias: string): (text: string) => string {
  const spellings = spellingsOf(hidden)
  const paths = homePathsOf(hidden)
  const plainly = (text: string) => hideHomePaths(hideSpellings(text, spellings, alias), paths)
  return (text) => {
    const inside = unwrap(text).some((plain) => matchesSpelling(possibleSpellings(spellings, plain), plain))
    return hideDigests(aroundLongRuns(inside ? hideInside(text, plainly) : text, plainly), hidden, alias)
  }
}

/**
 * Replaces each address by the alias in the same form (`user=dom` becomes `alias=dom`). Keeps the HTML tags inside an
 * address, so that elements stay balanced.
 */
function hideSpellings(text: string, spellings: Spelling[], alias: string): string {
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
  const replacements = digestsOf(alias)
  const pairs = hidden.flatMap((address) =>
    digestsOf(address).map((digest, at) => ({ digest, replacement: replacements[at] as string })),
  )
  return pairs
    .filter(({ digest }) => holdsDigest(text, [digest]))
    .reduce(
      (rest, { digest, replacement }) =>
        rest.replace(new RegExp(RegExp.escape(digest), isHexadecimal(digest) ? 'gi' : 'g'), replacement),
      text,
    )
}
