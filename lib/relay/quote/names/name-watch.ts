import { isKnownName, type KnownText } from '#lib/relay/quote/known-text'
import type { Span } from '#lib/relay/quote/reading/reading'
import { neutralFolder } from '#lib/relay/reply/leak-gate/home-paths'
import { findNames, type Name } from './find-names.ts'
import type { Harmless } from './harmless-names.ts'
import { addressesIn } from './name-forms.ts'

/** Looks for names in the texts and bytes that a walk through a message or a file comes by. */
export type NameWatch = {
  /** In something that is read as a text. */
  inWords(text: string): boolean
  /** In bytes, or in what a text decodes to: addresses alone, because noise looks like codes. */
  inBytes(text: string): boolean
}

/** Notes every name of a message on its way to the person, by the forms in which it is recognised, and finds none. */
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
    /** Undefined when there are too many to be put on record. */
    all: (): string[] | undefined => (forms.size > mostForms ? undefined : [...forms]),
  }
}

/** With 6 bytes each they take 48 KB. */
const mostForms = 8000

/** A text as it is written, and a page or a document without its tags. */
const viewsOf = (text: string): string[] => (text.includes('<') ? [text, withoutTags(text)] : [text])
const withoutTags = (text: string): string => text.replace(/<[^<>]*>/g, ' ')

/** `hide` hides the person's own addresses; `harmless` are names that are nobody's secret. */
export type NameRules = { harmless: Harmless; hide(text: string): string; alias: string }

/** Which names of a reply are treated as the person's: all that the app sent, and the person's own. */
export type NameMatcher = {
  /** Where a text holds such a name, and what it gives way to. */
  inText(text: string): { span: Span; by: string }[]
  /** For the leak gate: the app's alone, since it looks for the person's in ways of its own. */
  watch: NameWatch
}

/**
 * A name that the app sent is treated as the person's own, whomever it names, wherever the app's words are not recognised as such:
 * in copied lines, in changed files, in new names of files (relay §6).
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

/** Of the names of a folder that differ in their words, those with words behind the person's own are not. */
const isHiddenToTheEnd = ({ kind, text }: Name, hide: (text: string) => string): boolean =>
  kind === 'address' || hide(text).endsWith(neutralFolder)

/** The names that hold an address of the person; looked through together first, because hardly any do. */
function changedBy(hide: (text: string) => string, names: Name[]): Name[] {
  // A line that no spelling of an address goes over.
  const joined = names.map(({ text }) => text).join('\n;\n')
  if (names.length === 0 || hide(joined) === joined) return []
  if (names.length === 1) return names
  const half = names.length >> 1
  return [...changedBy(hide, names.slice(0, half)), ...changedBy(hide, names.slice(half))]
}
