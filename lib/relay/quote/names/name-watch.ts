import { isKnownName, type KnownText } from '#lib/relay/quote/known-text'
import type { Span } from '#lib/relay/quote/reading/reading'
import { neutralFolder } from '#lib/relay/reply/leak-gate/home-paths'
import { findNames, type Name } from './find-names.ts'
import type { Harmless } from './harmless-names.ts'
import { addressesIn } from './name-forms.ts'

/**
 * Receives each text and byte sequence of a search through a message or file, and returns whether it contains a name.
 */
export type NameWatch = {
  /** Searches a readable text. */
  inWords(text: string): boolean
  /** Searches bytes and decoded text for addresses only, because random bytes look like digests and base64. */
  inBytes(text: string): boolean
}

/** Returns a watch that collects the forms of every name in a message to the person and never reports a match. */
export function noteNames() {
  const forms = new Set<string>()
  const note = (more: string[]): false => {
    for (const form of more) if (forms.size <= mostForms) forms.add(form)
    return false
  }
  return {
    inWords: (text: string) =>
      note(
        viewsOf(text)
          .flatMap(findNames)
          .flatMap((name) => name.forms),
      ),
    inBytes: (text: string) => note(addressesIn(text)),
    /** Returns the forms, or undefined if there are too many to store. */
    all: (): string[] | undefined => (forms.size > mostForms ? undefined : [...forms]),
  }
}

/** The most forms that are stored: 48 KB at 6 bytes each. */
const mostForms = 8000

/** Returns a text as it is and, if it may contain tags, also without them. */
const viewsOf = (text: string): string[] => (text.includes('<') ? [text, withoutTags(text)] : [text])
const withoutTags = (text: string): string => text.replace(/<[^<>]*>/g, ' ')

/** `hide` hides the person's own addresses; `harmless` are names that need no protection. */
export type NameRules = { harmless: Harmless; hide(text: string): string; alias: string }

/** Matches the names in a reply that are treated as the person's: all that the app sent, and the person's own. */
export type NameMatcher = {
  /** Returns the spans of these names in a text, each with its replacement. */
  inText(text: string): { span: Span; by: string }[]
  /** Reports only names that the app sent; the leak gate searches for the person's own names itself. */
  watch: NameWatch
}

/**
 * Makes the matcher for text that is not recognised as the app's: copied lines, changed files, new file names. There,
 * every address or folder name that the app sent is replaced as if it were the person's own (relay §6).
 */
export function makeNameMatcher(texts: KnownText[], { harmless, hide, alias }: NameRules): NameMatcher {
  const isSent = (form: string): boolean => isKnownName(texts, form)
  const isOfApp = ({ text, forms }: Name): boolean => {
    const relevant = forms.filter((form) => !form.startsWith('whole ') && !harmless.isAddress(form))
    return relevant.length > 0 && !harmless.isHost(text) && [...relevant, ...forms.slice(0, 1)].some(isSent)
  }
  return {
    inText(text) {
      const names = findNames(text)
      const own = new Set(changedBy(hide, names).filter((name) => isHiddenToTheEnd(name, hide)))
      return names
        .filter((name) => own.has(name) || isOfApp(name))
        .map(({ span, kind }) => ({ span, by: kind === 'folder' ? neutralFolder : alias }))
    },
    watch: {
      inWords: (text) => findNames(withoutTags(text)).some(isOfApp),
      inBytes: (text) => addressesIn(text).some((form) => !harmless.isAddress(form) && isSent(form)),
    },
  }
}

/** Returns false for a folder name that continues after the name of the person's own folder. */
const isHiddenToTheEnd = ({ kind, text }: Name, hide: (text: string) => string): boolean =>
  kind === 'address' || hide(text).endsWith(neutralFolder)

/**
 * Returns the names that contain an address of the person. Searches halves recursively, because few names contain
 * one.
 */
function changedBy(hide: (text: string) => string, names: Name[]): Name[] {
  // No spelling of an address spans this separator.
  const joined = names.map(({ text }) => text).join('\n;\n')
  if (names.length === 0 || hide(joined) === joined) return []
  if (names.length === 1) return names
  const half = names.length >> 1
  return [...changedBy(hide, names.slice(0, half)), ...changedBy(hide, names.slice(half))]
}
