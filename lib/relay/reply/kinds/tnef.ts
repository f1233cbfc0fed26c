/** The files of a winmail.dat, and its text. */
export type Tnef = { files: { name: string; bytes: Buffer }[]; text: string | undefined; html: Buffer | undefined }

/**
 * Reads a winmail.dat ([MS-OXTNEF]). Returns undefined if it is malformed or contains anything but files and texts.
 */
export function readTnef(bytes: Buffer): Tnef | undefined {
  try {
    return readAttributes(bytes)
  } catch (fault) {
    // The file is truncated, or a length in it points past the end of the file.
    if (fault instanceof RangeError) return undefined
    throw fault
  }
}

const signature = 0x223e9f78
const attribute = {
  body: 0x0002800c,
  messageProperties: 0x00069003,
  fileBegins: 0x00069002,
  fileName: 0x00018010,
  fileData: 0x0006800f,
  fileProperties: 0x00069005,
}
const property = { body: 0x1000, html: 0x1013, longFileName: 0x3707, attachedObject: 0x3701, method: 0x3705 }

type OpenFile = { name: string; bytes: Buffer | undefined }

function readAttributes(bytes: Buffer): Tnef | undefined {
  if (bytes.readUInt32LE(0) !== signature) return undefined
  const files: OpenFile[] = []
  let [text, html]: [string | undefined, Buffer | undefined] = [undefined, undefined]
  for (let at = 6; at + 9 <= bytes.length; ) {
    const [id, length] = [bytes.readUInt32LE(at + 1), bytes.readUInt32LE(at + 5)]
    const data = bytes.subarray(at + 9, at + 9 + length)
    if (data.length < length) return undefined
    at += 9 + length + 2
    const file = files.at(-1)
    if (id === attribute.fileBegins) files.push({ name: '', bytes: undefined })
    else if (id === attribute.fileName && file) file.name ||= untilZero(data).toString('latin1')
    else if (id === attribute.fileData && file) file.bytes = data
    else if (id === attribute.fileProperties && file) {
      const found = readProperties(data)
      // The attachment is an Outlook item or an embedded object.
      if (found.has(property.attachedObject)) return undefined
      file.name = textOf(found.get(property.longFileName)) ?? file.name
    } else if (id === attribute.body) text = untilZero(data).toString('latin1')
    else if (id === attribute.messageProperties) {
      const found = readProperties(data)
      text ??= textOf(found.get(property.body))
      html = found.get(property.html)?.value ?? html
    }
  }
  const whole = files.filter((file): file is { name: string; bytes: Buffer } => file.bytes !== undefined)
  return whole.length === files.length ? { files: whole, text, html } : undefined
}

type Property = { type: number; value: Buffer }

/**
 * Reads MAPI properties ([MS-OXTNEF] §2.1.3.4). Keeps the first value of each property of variable length and skips
 * properties of fixed length.
 */
function readProperties(data: Buffer): Map<number, Property> {
  const found = new Map<number, Property>()
  let at = 4
  for (let left = data.readUInt32LE(0); left > 0; left--) {
    const [type, id] = [data.readUInt16LE(at), data.readUInt16LE(at + 2)]
    at += 4
    if (id >= 0x8000) at = skipName(data, at)
    const isMany = (type & 0x1000) !== 0 || isVariable(type)
    const count = isMany ? data.readUInt32LE(at) : 1
    if (isMany) at += 4
    for (let value = 0; value < count; value++) {
      const isLong = isVariable(type & 0x0fff)
      const length = isLong ? data.readUInt32LE(at) : sizeOf(type & 0x0fff)
      if (isLong) at += 4
      if (at + length > data.length) throw new RangeError('The property ends outside its attribute.')
      if (isLong && value === 0) found.set(id, { type: type & 0x0fff, value: data.subarray(at, at + length) })
      at += Math.ceil(length / 4) * 4
    }
  }
  return found
}

/** Returns the index after the name or number of a named property. */
function skipName(data: Buffer, at: number): number {
  const isNumber = data.readUInt32LE(at + 16) === 0
  return isNumber ? at + 24 : at + 24 + Math.ceil(data.readUInt32LE(at + 20) / 4) * 4
}

/** Returns whether a property type has variable length: strings in two encodings, bytes and objects. */
const isVariable = (type: number): boolean => [0x001e, 0x001f, 0x0102, 0x000d].includes(type)
const sizeOf = (type: number): number => ({ 5: 8, 6: 8, 7: 8, 20: 8, 64: 8, 72: 16 })[type] ?? 4

function textOf(found: Property | undefined): string | undefined {
  if (found?.type === 0x001f) return found.value.toString('utf16le').replace(/\0.*$/s, '')
  return found?.type === 0x001e ? untilZero(found.value).toString('latin1') : undefined
}

const untilZero = (data: Buffer): Buffer => (data.includes(0) ? data.subarray(0, data.indexOf(0)) : data)
