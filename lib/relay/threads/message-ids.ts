import type { HeaderField } from '#lib/relay/mime/header-fields'

/** The message ids, angle brackets included, that a message says it follows. */
export const referencedIds = (fields: HeaderField[]): string[] => [
  ...new Set(fields.filter(isReference).flatMap(({ raw }) => raw.match(messageId) ?? [])),
]

/** The same field with the ids that are known under another name on the other side; every other byte stays. */
export function mapReferences(field: HeaderField, mapMessageId: MapMessageId): HeaderField {
  if (!isReference(field)) return field
  return { ...field, raw: field.raw.replace(messageId, (id) => wellFormed(mapMessageId(id)) ?? id) }
}

/** What becomes of each of the latest ids a message refers to. */
export const mapAll = (fields: HeaderField[], mapMessageId: MapMessageId): Map<string, string | undefined> =>
  new Map(
    ['in-reply-to', 'references'].flatMap((wanted) => {
      const first = fields.find(({ name }) => name === wanted)
      return (first?.raw.match(messageId) ?? []).slice(-mostMapped).map((id) => [id, mapMessageId(id)] as const)
    }),
  )

const mostMapped = 50

const isReference = ({ name }: HeaderField) => name === 'references' || name === 'in-reply-to'

const messageId = /<[^<>\s]+>/g

const wellFormed = (id: string | undefined) => (id && /^<[^<>\s]+>$/.test(id) ? id : undefined)

/** Takes and gives an id with its angle brackets. */
export type MapMessageId = (id: string) => string | undefined
