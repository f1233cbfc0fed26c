import { crc32, deflateRawSync } from 'node:zlib'

type Entry = { name: string; content: Buffer; packed?: boolean; flags?: number; method?: number }

/**
 * Returns a zip file as archivers write it: each entry after its header, and the central directory at the end
 * (APPNOTE 4.3).
 */
export function zipOf(entries: Entry[]): Buffer {
  let offset = 0
  const written = entries.map(({ name, content, packed = true, flags = 0, method = packed ? 8 : 0 }) => {
    const data = packed ? deflateRawSync(content) : content
    const fields = [20, flags, method, 0, 0]
    const sizes = [crc32(content), data.length, content.length]
    const local = header('PK\x03\x04', [...fields, ...sizes.flatMap(halves), name.length, 0], name)
    const rest = [name.length, 0, 0, 0, 0, 0, 0, ...halves(offset)]
    const listed = header('PK\x01\x02', [20, ...fields, ...sizes.flatMap(halves), ...rest], name)
    offset += local.length + data.length
    return { whole: Buffer.concat([local, data]), listed }
  })
  const list = Buffer.concat(written.map(({ listed }) => listed))
  const count = entries.length
  const end = header('PK\x05\x06', [0, 0, count, count, ...halves(list.length), ...halves(offset), 0], '')
  return Buffer.concat([...written.map(({ whole }) => whole), list, end])
}

const halves = (number: number): number[] => [number & 0xffff, number >>> 16]

function header(mark: string, numbers: number[], name: string): Buffer {
  const words = Buffer.alloc(numbers.length * 2)
  for (const [at, number] of numbers.entries()) words.writeUInt16LE(number, at * 2)
  return Buffer.concat([Buffer.from(mark, 'latin1'), words, Buffer.from(name)])
}
