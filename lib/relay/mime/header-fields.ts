/** One header field as it came: its name in lower case, and its bytes (latin1) with folding, without the last line break. */
export type HeaderField = { name: string; raw: string }

const emptyLine = Buffer.from('\r\n\r\n')

/** Where the header block of a message ends, the empty line included; undefined when it has no end yet. */
export function endOfHead(message: Buffer): number | undefined {
  if (message.subarray(0, 2).equals(emptyLine.subarray(0, 2))) return 2
  const at = message.indexOf(emptyLine)
  return at === -1 ? undefined : at + emptyLine.length
}

/** The fields of a header block, in order; a line that is no field has an empty name. */
export function readFields(head: Buffer): HeaderField[] {
  const text = head.toString('latin1').replace(/(\r\n)+$/, '')
  if (text === '') return []
  return text.split(/\r\n(?![ \t])/).map((raw) => ({ name: nameOf(raw), raw }))
}

/** A header block of these fields, the empty line included. */
export const writeFields = (fields: HeaderField[]): Buffer =>
  Buffer.from(`${fields.map(({ raw }) => `${raw}\r\n`).join('')}\r\n`, 'latin1')

/** The value of a field on one line, its bytes still as latin1. */
export const fieldValue = ({ raw }: HeaderField): string =>
  raw
    .slice(raw.indexOf(':') + 1)
    .replace(/\r\n(?=[ \t])/g, '')
    .trim()

/** A field of our own. */
export const makeField = (name: string, value: string): HeaderField => ({
  name: name.toLowerCase(),
  raw: `${name}: ${value}`,
})

function nameOf(raw: string): string {
  const [name = ''] = /^[!-9;-~]+(?=[ \t]*:)/.exec(raw) ?? []
  return name.toLowerCase()
}
