import { writeFileSync } from 'node:fs'

type Value = string | number | { [name: string]: Value }
type Node = { sides: [Node | Entry | undefined, Node | Entry | undefined] }
type Entry = { offset: number }

/** Writes a file in the format MMDB (MaxMind DB file format 2.0) with an entry for each IPv4 network. */
export function writeMmdb(path: string, entries: Record<string, Value>, built: Date): void {
  const root: Node = { sides: [undefined, undefined] }
  const nodes = [root]
  const data: Buffer[] = []
  let offset = 0
  for (const [network, value] of Object.entries(entries)) {
    const [address = '', length] = network.split('/')
    const bits = address.split('.').flatMap((byte) => [...Number(byte).toString(2).padStart(8, '0')].map(Number))
    let node = root
    for (const bit of bits.slice(0, Number(length) - 1)) {
      const next = (node.sides[bit] ?? { sides: [undefined, undefined] }) as Node
      if (!node.sides[bit]) nodes.push(next)
      node.sides[bit] = next
      node = next
    }
    node.sides[bits[Number(length) - 1] as number] = { offset }
    data.push(encode(value))
    offset += data.at(-1)?.length ?? 0
  }
  const record = (side: Node | Entry | undefined) => {
    if (!side) return nodes.length
    return 'offset' in side ? nodes.length + 16 + side.offset : nodes.indexOf(side)
  }
  const tree = nodes.flatMap(({ sides }) => sides.map((side) => number(record(side), 3)))
  const about = {
    binary_format_major_version: 2,
    build_epoch: built.getTime() / 1000,
    database_type: 'Test-City',
    ip_version: 4,
    node_count: nodes.length,
    record_size: 24,
  }
  writeFileSync(
    path,
    Buffer.concat([
      ...tree,
      Buffer.alloc(16),
      ...data,
      Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1'),
      encode(about),
    ]),
  )
}

const types = { text: 2, uint32: 6, map: 7 }

function encode(value: Value): Buffer {
  if (typeof value === 'number') return Buffer.concat([control(types.uint32, 4), number(value, 4)])
  if (typeof value === 'string') {
    const bytes = Buffer.from(value)
    return Buffer.concat([control(types.text, bytes.length), bytes])
  }
  const fields = Object.entries(value)
  return Buffer.concat([control(types.map, fields.length), ...fields.flat().map(encode)])
}

/** The first byte of a value: its type and its size, which from 29 on is in a byte of its own. */
const control = (type: number, size: number) =>
  size < 29 ? Buffer.from([(type << 5) | size]) : Buffer.from([(type << 5) | 29, size - 29])

function number(value: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  bytes.writeUIntBE(value, 0, length)
  return bytes
}
