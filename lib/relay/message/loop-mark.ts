import { createHmac } from 'node:crypto'
import { fieldValue, type HeaderField, makeField } from '#lib/relay/mime/header-fields'

/** What a message for this alias carries away and must not come back with; nobody can tell the alias from it, or forge it. */
export const loopMark = (key: Buffer, alias: string): HeaderField =>
  makeField(
    'X-Relay-Loop',
    createHmac('sha256', key).update(`loop:${alias.toLowerCase()}`).digest('base64url').slice(0, 22),
  )

/** Whether a message has been through the relay for the same alias before. */
export const bearsMark = (fields: HeaderField[], mark: HeaderField): boolean =>
  fields.some((field) => field.name === mark.name && fieldValue(field) === fieldValue(mark))
