import type { z } from 'zod'
import { closestOf } from './did-you-mean.ts'

/** A problem in a file, and the path of the wrong value, such as `teams[0].apps[1].redirect_uris[0]`. */
export type Problem = { path: string; message: string }

/** Records a problem; reading continues, so that one run reports all problems. */
export type Report = (path: string, message: string) => void

/**
 * Reads an object field by field, so that every wrong field is reported; an unknown key is a problem too. Returns the
 * valid fields, or undefined if `input` is not an object.
 */
export function readFields<Shape extends Record<string, z.ZodType>>(
  shape: Shape,
  input: unknown,
  path: string,
  report: Report,
): Partial<{ [Key in keyof Shape]: z.output<Shape[Key]> }> | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    report(path, 'must be an object')
    return undefined
  }
  for (const key of Object.keys(input)) {
    if (!Object.hasOwn(shape, key)) report(at(path, key), unknownKey(key, Object.keys(shape)))
  }
  const values: Record<string, unknown> = {}
  for (const [key, schema] of Object.entries(shape)) {
    const given = Object.hasOwn(input, key) ? (input as Record<string, unknown>)[key] : undefined
    const parsed = schema.safeParse(given)
    if (parsed.success) values[key] = parsed.data
    else for (const issue of parsed.error.issues) report(at(path, key, ...issue.path), issue.message)
  }
  return values as Partial<{ [Key in keyof Shape]: z.output<Shape[Key]> }>
}

function unknownKey(key: string, known: string[]): string {
  const meant = closestOf(key, known)
  const hint = meant === undefined ? `there are ${known.join(', ')}` : `did you mean ${meant}?`
  return `is not a known key; ${hint}`
}

/** Appends to a path: a name after a dot, an index in brackets. */
export function at(path: string, ...keys: PropertyKey[]): string {
  return keys.reduce<string>((whole, key) => {
    if (typeof key === 'number') return `${whole}[${key}]`
    const name = String(key)
    if (!/^[A-Za-z_][\w-]{0,99}$/.test(name)) return `${whole}[${JSON.stringify(name.slice(0, longestName))}]`
    return whole === '' ? name : `${whole}.${name}`
  }, path)
}

/** The length to which messages truncate a key. */
const longestName = 100

/** Reports every item whose key equals that of an earlier item. */
export function reportDuplicates(items: { key: string; path: string }[], report: Report) {
  const seen = new Map<string, string>()
  for (const { key, path } of items) {
    const first = seen.get(key)
    if (first === undefined) seen.set(key, path)
    else report(path, `is given twice: ${JSON.stringify(key)} already appears at ${first}`)
  }
}
