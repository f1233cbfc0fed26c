/** A header field: its name in lower case, and its raw bytes (latin1) with folding, without the final line break. */
export type HeaderField = { name: string; raw: string }

const emptyLine = Buffer.from('\r\n\r\n')

/** Returns the end of a message's header block, the empty line included; undefined when there is none yet. */
export function endOfHead(message: Buffer): number | undefined {
  if (message.subarray(0, 2).equals(emptyLine.subarray(0, 2))) return 2
  const at = message.indexOf(emptyLine)
  return at === -1 ? undefined : at + emptyLine.length
}

/** Returns the fields of a header block in order; a line that is no field has an empty name. */
export function readFields(head: Buffer): HeaderField[] {
  const text = head.toString('latin1').replace(/(\r\n)+$/, '')
  if (text === '') return []
  return text.split(/\r\n(?![ \t])/).map((raw) => ({ name: nameOf(raw), raw }))
}

/** Serializes fields into a header block, the empty line included. */
export const writeFields = (fields: HeaderField[]): Buffer =>
  Buffer.from(`${fields.map(({ raw }) => `${raw}\r\n`).join('')}\r\n`, 'latin1')

/** Returns the unfolded value of a field, its bytes still as latin1. */
export const fieldValue = ({ raw }: HeaderField): string =>
  raw
    .slice(raw.indexOf(':') + 1)
    .replace(/\r\n(?=[ \t])/g, '')
    .trim()

/** Creates a field. */
export const makeField = (name: string, value: string): HeaderField => ({
  name: name.toLowerCase(),
  raw: `${name}: ${value}`,
})

function nameOf(raw: string): string {
  const [name = ''] = /^[!-9;-~]+(?=[ \t]*:)/.exec(raw) ?? []
  return name.toLowerCase()
}
