/** The parts of a URI (RFC 3986 appendix B), each with its delimiter, so that they make up the URI again. */
export type UriParts = { scheme: string; authority: string; path: string; query: string; fragment: string }

export function splitUri(uri: string): UriParts {
  const [, scheme = '', authority = '', path = '', query = '', fragment = ''] =
    /^([^:/?#]+:)?(\/\/[^/?#]*)?([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(uri) ?? []
  return { scheme, authority, path, query, fragment }
}

/** The mark of a value that is not kept. */
export const masked = '…'

const longestKept = 500

/**
 * Returns a URI from a request without what it may carry of a person or a secret: user information, values of the
 * query, the fragment, addresses, long numbers and random texts in the path. Pairs of the query that `own`, a URI of the app, has
 * too are kept.
 */
export function maskUri(uri: string, own = ''): string {
  const { scheme, authority, path, query, fragment } = splitUri(uri.slice(0, 4 * longestKept))
  const ownPairs = new Set(splitUri(own).query.slice(1).split('&'))
  const ownSteps = new Set(splitUri(own).path.split('/'))
  const host = authority.includes('@') ? `//${masked}@${authority.slice(authority.lastIndexOf('@') + 1)}` : authority
  const steps = path.split('/').map((step) => (ownSteps.has(step) ? step : maskStep(step)))
  const pairs = query
    .slice(1)
    .split('&')
    .map((pair) => (ownPairs.has(pair) ? pair : maskPair(pair)))
  const safe = `${scheme}${host}${steps.join('/')}${query && `?${pairs.join('&')}`}${fragment && `#${masked}`}`
  return maskText(safe, longestKept)
}

/**
 * Keeps the name of a pair. A pair without a name or a value may itself be a token, which can end with "=", and one with an
 * odd name is no parameter.
 */
function maskPair(pair: string): string {
  const [, name] = /^([\w.~%+[\]-]{1,40})=(?!=*$)/.exec(pair) ?? []
  return name === undefined || at.test(name) ? masked : `${name}=${masked}`
}

/** Masks a step of a path with an address or a user name, and in other steps values of parameters and random texts. */
const maskStep = (step: string): string =>
  at.test(step) ? masked : maskRandom(step.replace(/(;[^;=]*=)[^;]*/g, `$1${masked}`))

/** Masks runs that are long, or rich in digits as short tokens are, and numbers as long as that of a telephone. */
const maskRandom = (text: string): string =>
  text
    .replace(/[\w~+.-]{16,}/g, (run) => (run.length >= 32 || run.replace(/\D/g, '').length >= 4 ? masked : run))
    .replace(/\+?\d{7,}/g, masked)

/** The sign "@", wide or not, encoded once, several times, or not at all. */
const at = /[@＠﹫]|%(?:25)*40|%(?:25)*EF%(?:25)*BC%(?:25)*A0/i

/** An e-mail address. Its parts leave out every "@", so that each of them is matched in one pass. */
const address =
  /(?:(?!%(?:25)*40)[^\s@/:?#&=…]){1,64}(?:@|%(?:25)*40)(?:(?!%(?:25)*40)[^\s@/?#&]){1,255}(?:\.|%(?:25)*2e)[^\s@/?#&.]{1,63}/gi

/**
 * Returns a text from a request without e-mail addresses and tokens. Invisible and combining characters become visible
 * escapes, so that they neither hide a difference nor change the page around them.
 */
export const maskText = (text: string, most: number): string =>
  text
    .slice(0, 4 * most)
    .replace(address, masked)
    .replace(/eyJ[\w-]+\.[\w-]+(\.[\w-]*)*|rt_[\w-]{16,}[\w.-]*/g, masked)
    .replace(
      /(?! )[\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/gu,
      (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
    )
    .slice(0, most)
    .toWellFormed()
