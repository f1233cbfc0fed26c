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
  const [expected, found] = [placeholders(ours, language), placeholders(theirs, language)]
  if (found === undefined) throw new BrandFault(file, `${path} has a brace or a tag that does not end`)
  if (found.join() !== expected?.join())
    throw new BrandFault(file, `${path} must have these placeholders: ${expected?.join(', ') || 'none'}`)
  return theirs
}

type Part = ReturnType<IntlMessageFormat['getAst']>[number]

/** Returns the names of the values and tags of a text, sorted; undefined when it cannot be parsed. */
function placeholders(text: string, language: string): string[] | undefined {
  try {
    return [...new Set(namesIn(new IntlMessageFormat(text, language).getAst()))].toSorted()
  } catch {
    return undefined
  }
}

const namesIn = (parts: Part[]): string[] =>
  parts.flatMap((part) => {
    const { value } = part as { value?: string }
    if ('options' in part)
      return [`{${value}}`, ...Object.values(part.options).flatMap((option) => namesIn(option.value))]
    if ('children' in part) return [`<${value}>`, ...namesIn(part.children)]
    // Literal texts and the number of a plural (#) have no name.
    return part.type === 0 || value === undefined ? [] : [`{${value}}`]
  })
