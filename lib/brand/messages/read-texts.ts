import { IntlMessageFormat } from 'intl-messageformat'
import { BrandFault } from '#lib/brand/brand-fault'
import { isLocale, type Messages, messagesFor } from '#lib/text/messages'
import { type Rules, ruleSentences, rulesFor, valuesOf } from '#lib/text/translate-rule'
import { lineOf } from './line-of.ts'

const longest = 4000

/** The texts of a language, and the sentences of rules by their English form. */
export type Texts = { messages: Messages; rules: Rules }

/**
 * Reads messages.LANGUAGE.json, which replaces texts of ours or adds a language, and returns all texts of the language. Each
 * text has a key of ours and the same placeholders. Texts that a new language lacks are English.
 */
export function readTexts(json: string, file: string, language: string): Texts {
  const place = { file, json, language, keys: [] }
  const { rules = {}, ...theirs } = asTree(parse(json, file), place)
  const ours = messagesFor(isLocale(language) ? language : 'en')
  return {
    messages: merge(ours, theirs, place) as Messages,
    rules: { ...rulesFor(language), ...readRules(rules, below(place, 'rules')) },
  }
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
type Place = { file: string; json: string; language: string; keys: string[] }

const below = (place: Place, key: string): Place => ({ ...place, keys: [...place.keys, key] })

/** Refuses a file: the message has the path and the line of the text. */
function refuse({ file, json, keys }: Place, what: string): never {
  throw new BrandFault(file, `${keys.join('.') || 'the file'} ${what}`, lineOf(json, keys))
}

function asTree(value: unknown, place: Place): Tree {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Tree
  return refuse(place, 'must be an object, as in messages/en')
}

function merge(ours: Tree, theirs: unknown, place: Place): Tree {
  const merged: Tree = { ...ours }
  for (const [key, value] of Object.entries(asTree(theirs, place))) {
    const here = below(place, key)
    const our = Object.hasOwn(ours, key) ? ours[key] : undefined
    if (our === undefined) return refuse(here, 'is not a text of ours; look in messages/en')
    merged[key] = typeof our === 'string' ? readText(our, value, here) : merge(our, value, here)
  }
  return merged
}

/** Reads the sentences of rules. Their key is the English sentence. */
function readRules(theirs: unknown, place: Place): Rules {
  const entries = Object.entries(asTree(theirs, place)).map(([sentence, value]): [string, string] => {
    const here = below(place, sentence)
    if (!ruleSentences.includes(sentence)) refuse(here, 'is not a sentence of ours; look in messages/ja/rules.json')
    const text = asText(value, here)
    refuseOthers(valuesOf(sentence), valuesOf(text), here)
    return [sentence, text]
  })
  return Object.fromEntries(entries)
}

function asText(value: unknown, place: Place): string {
  if (typeof value !== 'string') return refuse(place, 'must be a text')
  if (value.trim() === '') refuse(place, 'is empty')
  if (value.length > longest) refuse(place, `has more than ${longest} characters`)
  return value
}

function readText(ours: string, value: unknown, place: Place): string {
  const theirs = asText(value, place)
  if (isFilledPlainly(place.keys.join('.'))) return readPlainText(ours, theirs, place)
  const [expected, found] = [placeholders(ours, place.language), placeholders(theirs, place.language)]
  if (found === undefined) return refuse(place, 'has a brace or a tag that does not end')
  refuseOthers([...(expected?.keys() ?? [])], [...found.keys()], place)
  for (const [name, forms] of found) {
    const wrong = forms.find((form) => !isFitting(form, expected?.get(name) ?? []))
    if (wrong) refuse(place, `has ${name} as ${wrong}, which its value does not permit`)
  }
  return theirs
}

/** Letters, and pages made without Next, fill their texts by name alone. */
const isFilledPlainly = (path: string) => /^(letters|fault|issuerHome|hideMyEmail\.testMail)\./.test(path)

function readPlainText(ours: string, theirs: string, place: Place): string {
  refuseOthers(plainPlaceholders(ours), plainPlaceholders(theirs), place)
  if (/[{}]|<\/?\w/.test(theirs.replace(plain, '')))
    refuse(place, 'may have plain placeholders only, such as {app}, and no tags')
  return theirs
}

const plain = /\{\w+\}/g
const plainPlaceholders = (text: string): string[] => text.match(plain) ?? []

function refuseOthers(expected: string[], found: string[], place: Place): void {
  const [wanted, given] = [expected, found].map((names) => [...new Set(names)].toSorted().join(', '))
  if (given !== wanted) refuse(place, `must have these placeholders: ${wanted || 'none'}`)
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
