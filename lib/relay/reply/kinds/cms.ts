/**
 * The content of a CMS object (RFC 5652 §3): signed content, or certificates only. `closed` is any other content,
 * such as encrypted or malformed content.
 */
export type Cms = { kind: 'signed'; content: Buffer } | { kind: 'certificates' } | { kind: 'closed' }

/** Reads the content of an S/MIME message (RFC 8551 §3.5.2) without verifying its signature. */
export function readCms(bytes: Buffer): Cms {
  try {
    const [type, content] = childrenOf(bytes, elementAt(bytes, 0, 0))
    if (!type || !content || !isOid(bytes, type, signedData)) return { kind: 'closed' }
    const [signed] = childrenOf(bytes, content)
    const encapsulated = signed && childrenOf(bytes, signed).find(({ tag }) => tag === sequence)
    const holder = encapsulated && childrenOf(bytes, encapsulated).find(({ tag }) => tag === explicitZero)
    if (encapsulated && !holder) return { kind: 'certificates' }
    const [octets] = holder ? childrenOf(bytes, holder) : []
    return octets ? { kind: 'signed', content: octetsOf(bytes, octets) } : { kind: 'closed' }
  } catch (fault) {
    if (fault instanceof Malformed) return { kind: 'closed' }
    throw fault
  }
}

class Malformed extends Error {}

/** An element of BER (X.690 §8.1): the range of its content, and the start of the next element. */
type Element = { tag: number; from: number; to: number; next: number; depth: number }

const sequence = 0x30
const explicitZero = 0xa0
const octetString = 0x04
const constructed = 0x20
const signedData = Buffer.from('2a864886f70d010702', 'hex')
const deepest = 12

function elementAt(bytes: Buffer, at: number, depth: number): Element {
  const tag = bytes[at]
  const first = bytes[at + 1]
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f || depth > deepest) throw new Malformed()
  if (first === 0x80) return openEnded(bytes, { tag, from: at + 2, depth })
  const digits = first < 0x80 ? 0 : first & 0x7f
  if (digits > 4 || at + 2 + digits > bytes.length) throw new Malformed()
  const length = digits === 0 ? first : bytes.readUIntBE(at + 2, digits)
  const from = at + 2 + digits
  if (from + length > bytes.length) throw new Malformed()
  return { tag, from, to: from + length, next: from + length, depth }
}

/** Reads an element of indefinite length, which ends with two zero bytes (X.690 §8.1.5). */
function openEnded(bytes: Buffer, { tag, from, depth }: Pick<Element, 'tag' | 'from' | 'depth'>): Element {
  if ((tag & constructed) === 0) throw new Malformed()
  let at = from
  while (bytes[at] !== 0 || bytes[at + 1] !== 0) at = elementAt(bytes, at, depth + 1).next
  return { tag, from, to: at, next: at + 2, depth }
}

function childrenOf(bytes: Buffer, { tag, from, to, depth }: Element): Element[] {
  if ((tag & constructed) === 0) throw new Malformed()
  const children: Element[] = []
  for (let at = from; at < to; at = (children.at(-1) as Element).next) children.push(elementAt(bytes, at, depth + 1))
  return children
}

/** An octet string may consist of nested octet strings (X.690 §8.7). */
function octetsOf(bytes: Buffer, element: Element): Buffer {
  if (element.tag === octetString) return bytes.subarray(element.from, element.to)
  if (element.tag !== (octetString | constructed)) throw new Malformed()
  return Buffer.concat(childrenOf(bytes, element).map((child) => octetsOf(bytes, child)))
}

const isOid = (bytes: Buffer, { tag, from, to }: Element, oid: Buffer): boolean =>
  tag === 0x06 && bytes.subarray(from, to).equals(oid)
