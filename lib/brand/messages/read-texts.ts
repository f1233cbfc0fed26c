import { IntlMessageFormat } from 'intl-messageformat'
import { BrandFault } from '#lib/brand/brand-fault'
import { isLocale, type Messages, messagesFor } from '#lib/text/messages'

const longest = 4000

/**
 * Reads messages.LANGUAGE.json, which replaces texts of ours or adds a language, and returns all texts of the language. Each
 * text has a key of ours and the same placeholders. Texts that a new language lacks are English.
 */
export function readTexts(json: string, file: string, language: string): Messages {
  const ours = messagesFor(isLocale(language) ? language : 'en')
  return merge(ours, parse(json, file), { file, language, path: '' }) as Messages
}

function parse(json: string, file: string): unknown {
  try {
    return JSON.parse(json)
  } catch (fault) {
    const position = Number(/position (\d+)/.exec((fault as Error).message)?.[1] ?? 0)
    throw new BrandFault(file, 'this is no JSON', json.slice(0, position).split('\n').length)
  }
}

type Tree = { [key: string]: string | Tree }
type Place = { file: string; language: string; path: string }

function merge(ours: Tree, theirs: unknown, { file, language, path }: Place): Tree {
  if (typeof theirs !== 'object' || theirs === null || Array.isArray(theirs))
    throw new BrandFault(file, `${path || 'the file'} must be an object, as in messages/en`)
  const merged: Tree = { ...ours }
  for (const [key, value] of Object.entries(theirs as Tree)) {
    const place = { file, language, path: path ? `${path}.${key}` : key }
    const our = Object.hasOwn(ours, key) ? ours[key] : undefined
    if (our === undefined) throw new BrandFault(file, `${place.path} is not a text of ours; look in messages/en`)
    merged[key] = typeof our === 'string' ? readText(our, value, place) : merge(our, value, place)
  }
  return merged
}

function readText(ours: string, theirs: unknown, { file, language, path }: Place): string {
  if (typeof theirs !== 'string') throw new BrandFault(file, `${path} must be a text`)
  if (theirs.trim() === '') throw new BrandFault(file, `${path} is empty`)
  if (theirs.length > longest) throw new BrandFault(file, `${path} has more than ${longest} characters`)
  if (isFilledPlainly(path)) return readPlainText(ours, theirs, { file, path })
  const [expected, found] = [placeholders(ours, language), placeholders(theirs, language)]
  if (found === undefined) throw new BrandFault(file, `${path} has a brace or a tag that does not end`)
  refuseOthers([...(expected?.keys() ?? [])], [...found.keys()], { file, path })
  for (const [name, forms] of found) {
    const wrong = forms.find((form) => !isFitting(form, expected?.get(name) ?? []))
    if (wrong) throw new BrandFault(file, `${path} has ${name} as ${wrong}, which its value does not permit`)
  }
  return theirs
}

/** Letters, and pages made without Next, fill their texts by name alone. */
const isFilledPlainly = (path: string) => /^(letters|fault|issuerHome|hideMyEmail\.testMail)\./.test(path)

function readPlainText(ours: string, theirs: string, place: Pick<Place, 'file' | 'path'>): string {
  refuseOthers(plainPlaceholders(ours), plainPlaceholders(theirs), place)
  if (/[{}]|<\/?\w/.test(theirs.replace(plain, '')))
    throw new BrandFault(place.file, `${place.path} may have plain placeholders only, such as {app}, and no tags`)
  return theirs
}

const plain = /\{\w+\}/g
const plainPlaceholders = (text: string): string[] => text.match(plain) ?? []

function refuseOthers(expected: string[], found: string[], { file, path }: Pick<Place, 'file' | 'path'>): void {
  const [wanted, given] = [expected, found].map((names) => [...new Set(names)].toSorted().join(', '))
  if (given !== wanted) throw new BrandFault(file, `${path} must have these placeholders: ${wanted || 'none'}`)
}

type Part = ReturnType<IntlMessageFormat['getAst']>[number]

/** How a text shows a value; a form with a style, such as a currency, is never one of ours. */
type Form =
  | 'text'
  | 'tag'
  | 'number'
  | 'date'
  | 'time'
  | 'select'
  | 'plural'
  | `${'number' | 'date' | 'time'} with a style`

/** Every value can stand as text, and a number or a plural needs a number. */
function isFitting(form: Form, ours: Form[]): boolean {
  const isNumeric = (one: Form) => one === 'number' || one === 'plural'
  return form === 'text' || ours.includes(form) || (isNumeric(form) && ours.some(isNumeric))
}

/** Returns the values and tags of a text with their forms; undefined when it cannot be parsed. */
function placeholders(text: string, language: string): Map<string, Form[]> | undefined {
  const found = new Map<string, Form[]>()
  const note = (name: string, form: Form) => found.set(name, [...(found.get(name) ?? []), form])
  const walk = (parts: Part[]): void => {
    for (const part of parts) {
      const form = formOf(part)
      if (form && 'value' in part) note(form === 'tag' ? `<${part.value}>` : `{${part.value}}`, form)
      if ('options' in part) for (const option of Object.values(part.options)) walk(option.value)
      if ('children' in part) walk(part.children)
    }
  }
  try {
    walk(new IntlMessageFormat(text, language).getAst())
    return found
  } catch {
    return undefined
  }
}

/** Returns undefined for a literal text, and for the number of a plural (#), which has no name. */
function formOf(part: Part): Form | undefined {
  const form = forms[part.type]
  return (form === 'number' || form === 'date' || form === 'time') && 'style' in part && part.style
    ? `${form} with a style`
    : form
}

/** The forms by the numbers of the parser's node types. */
const forms: readonly (Form | undefined)[] = [
  undefined,
  'text',
  'number',
  'date',
  'time',
  'select',
  'plural',
  undefined,
  'tag',
]
