import { anyCase } from './any-case.ts'
import { isCommonName, namesOf } from './inbox-names.ts'

/**
 * A pattern for a home folder named after an address. `isWhole` is false if the folder contains only the beginning of
 * the local part.
 */
export type HomePath = { pattern: RegExp; isWhole: boolean }

/**
 * Returns patterns for paths to home folders named after these addresses (`/home/user`, `C:\Users\user`,
 * `file:///Users/user`). The separators may be escaped. Windows names a folder after the first five letters of an
 * account, and after six letters and `~1` in short names.
 */
export function homePathsOf(addresses: string[]): HomePath[] {
  const locals = [...new Set(addresses.flatMap((address) => namesOf(address).locals))]
  return locals
    .filter((local) => !isCommonName(local))
    .flatMap((local) => {
      const words = local.split(/[._+-]/)
      const whole = words.map(RegExp.escape).join('(?:[ ._+-]|%(?:25)*20)?')
      const letters = words.join('')
      const short =
        letters.length > 6 ? [RegExp.escape(letters.slice(0, 5)), `${RegExp.escape(letters.slice(0, 6))}~[0-9]`] : []
      return [
        { pattern: pathTo(whole), isWhole: true },
        ...(short.length ? [{ pattern: pathTo(short.join('|')), isWhole: false }] : []),
      ]
    })
}

export const neutralFolder = 'user'

/** Replaces the name of each matching home folder by a neutral name. */
export const hideHomePaths = (text: string, paths: HomePath[]): string =>
  mayHoldPaths.test(text)
    ? paths.reduce((rest, { pattern }) => rest.replace(pattern, `$<folder>${neutralFolder}`), text)
    : text

/** Returns whether a text contains a home folder named after a whole local part. */
export const holdsHomePath = (text: string, paths: HomePath[]): boolean =>
  mayHoldPaths.test(text) && paths.some(({ pattern, isWhole }) => isWhole && text.search(pattern) !== -1)

/**
 * Returns the spans of home folder names in a text, except common names. Because a name may contain spaces, returns
 * one span for each possible number of words, the shortest first.
 */
export const findFolders = (text: string): [from: number, to: number][] =>
  mayHoldPaths.test(text)
    ? Array.from(text.matchAll(anyPath), ({ 0: path, index, groups }) => {
        const from = index + (groups?.folder ?? '').length
        const blanks = text.slice(from, index + path.length).matchAll(/ |%(?:25)*20/g)
        return [...Array.from(blanks, (blank) => from + blank.index), index + path.length].map(
          (to): [number, number] => [from, to],
        )
      })
        .flat()
        .filter(([from, to]) => !isCommonName(text.slice(from, to).toLowerCase()))
    : []

const mayHoldPaths = /home|users|settings|media|profiles|~/i
const separator = String.raw`(?:[\\/]{1,8}|%(?:25)*(?:5c|2f)|&(?:#0*(?:92|47)|#x0*(?:5c|2f)|bsol|sol);|\\u00(?:5c|2f))`
const colon = String.raw`(?::|\||%(?:25)*3a|&#0*58;|&colon;)`
const above = String.raw`(?:[\w.-]{1,30}${separator}){0,3}`
const settings = 'documents(?: |%20)and(?: |%20)settings|profiles'
/** A local path starts at the root, a drive, `file:` or a tilde; `users` inside a web address is no home folder. */
const folders = [
  `${anyCase(String.raw`(?<![\w.~:/-])${separator}${above}(?:home[0-9]?|(?:run${separator})?media|`)}Users)${anyCase(separator)}`,
  anyCase(`(?<![a-z])[a-z]${colon}${separator}${above}(?:users|home|${settings})${separator}`),
  anyCase(String.raw`\bfile${colon}[^\s"'<>]{0,200}?${separator}(?:users|home[0-9]?|media|${settings})${separator}`),
  String.raw`(?<![\w/])~(?=[^\s/]{1,64}/)`,
].join('|')

const pathTo = (name: string): RegExp =>
  new RegExp(String.raw`(?<folder>${folders})(?:${anyCase(name)})(?![\p{L}\p{N}_-]|\.[\p{L}\p{N}])`, 'gu')

const word = String.raw`(?:[^\\/\s"'<>:;,|&%]|(?<=\p{L})'(?=\p{L})){1,64}`
const anyPath = new RegExp(`(?<folder>${folders})${word}(?:(?: |%(?:25)*20)${word}){0,3}`, 'gu')
