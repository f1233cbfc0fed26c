import type { HeaderField } from './header-fields.ts'

/** The message ids, angle brackets included, that a message says it follows. */
export const referencedIds = (fields: HeaderField[]): string[] => [
  ...new Set(fields.filter(isReference).flatMap(({ raw }) => raw.match(messageId) ?? [])),
]

/** The same field with the ids that are known under another name on the other side; every other byte stays. */
export function mapReferences(field: HeaderField, mapMessageId: MapMessageId): HeaderField {
  if (!isReference(field)) return field
  return { ...field, raw: field.raw.replace(messageId, (id) => wellFormed(mapMessageId(id)) ?? id) }
}

const isReference = ({ name }: HeaderField) => name === 'references' || name === 'in-reply-to'

const messageId = /<[^<>\s]+>/g

const wellFormed = (id: string | undefined) => (id && /^<[^<>\s]+>$/.test(id) ? id : undefined)

/** Takes and gives an id with its angle brackets. */
export type MapMessageId = (id: string) => string | undefined
