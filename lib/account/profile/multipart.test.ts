import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { boundaryOf, readParts } from './multipart.ts'

const limits = { parts: 3, file: 100, text: 10 }

/** Makes a body of chunks; `left` returns whether bytes remain unread. */
function arriving(text: string | Buffer, size = 7) {
  const bytes = Buffer.from(text)
  let at = 0
  return {
    left: () => at < bytes.length,
    async *[Symbol.asyncIterator]() {
      while (at < bytes.length) {
        const piece = bytes.subarray(at, at + size)
        at += size
        yield piece
      }
    },
  }
}

const part = (name: string, content: string, more = '') =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`
const read = (text: string | Buffer, size?: number) => readParts(arriving(text, size), 'b', limits)

describe('readParts', () => {
  it('reads every part, for any chunks of the body', async () => {
    const form = `${part('x', '12')}${part('picture', 'a\r\n--\r\nb', '; filename="m.png"\r\nContent-Type: image/png')}--b--\r\n`
    for (const size of [1, 2, 3, 5, 1000])
      expect(await read(form, size)).toEqual([
        { name: 'x', isFile: false, bytes: Buffer.from('12') },
        { name: 'picture', isFile: true, bytes: Buffer.from('a\r\n--\r\nb') },
      ])
  })

  it('reads the bytes that FormData writes', async () => {
    const form = fc.array(fc.tuple(fc.string({ maxLength: 5 }), fc.uint8Array({ maxLength: 100 })), { maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(form, fc.integer({ min: 1, max: 50 }), async (fields, size) => {
        const data = new FormData()
        for (const [, bytes] of fields) data.append('file', new File([new Uint8Array(bytes)], '月"\r\n.png'))
        const { headers, body } = new Response(data)
        const boundary = boundaryOf(headers.get('content-type') ?? '') ?? ''
        const whole = Buffer.from(await new Response(body).arrayBuffer())
        const parts = await readParts(arriving(whole, size), boundary, limits)
        expect(parts).toEqual(fields.map(([, bytes]) => ({ name: 'file', isFile: true, bytes: Buffer.from(bytes) })))
      }),
      { numRuns: 50 },
    )
  })

  it.each([
    ['a file', part('picture', 'x'.repeat(1000), '; filename="m"')],
    ['a text', part('x', 'x'.repeat(1000))],
  ])('leaves the rest unread once %s is too large', async (_, text) => {
    const body = arriving(text)
    expect(await readParts(body, 'b', limits)).toBe('too_large')
    expect(body.left()).toBe(true)
  })

  it.each([
    ['nothing', ''],
    ['no first delimiter', 'x'.repeat(5000)],
    ['another delimiter', part('x', '1').replaceAll('--b', '--c')],
    ['text before the first delimiter', `preamble\r\n${part('x', '1')}--b--`],
    ['an end in the middle', part('x', '1').slice(0, -4)],
    ['no last delimiter', part('x', '1')],
    ['too many parts', `${part('x', '1').repeat(4)}--b--`],
    ['a thousand empty parts', '--b\r\n\r\n'.repeat(1000)],
    ['a head without end', `--b\r\nX: ${'x'.repeat(5000)}`],
    ['a head too long', `--b\r\nX: ${'x'.repeat(3000)}\r\n${part('x', '1').slice(5)}--b--`],
    ['a part without name', '--b\r\nContent-Disposition: form-data\r\n\r\n1\r\n--b--'],
    ['a part of another kind', '--b\r\nContent-Disposition: attachment; name="x"\r\n\r\n1\r\n--b--'],
    ['a delimiter that goes on', `${part('x', '1')}--bb--`],
  ])('rejects a body that has %s', async (_, text) => {
    expect(await read(text)).toBeUndefined()
    expect(await read(text, 100_000)).toBeUndefined()
  })
})

describe('boundaryOf', () => {
  it.each([
    ['multipart/form-data; boundary=abc', 'abc'],
    ['Multipart/Form-Data; charset=utf-8; boundary="a b"', 'a b'],
    ['multipart/form-data', undefined],
    ['multipart/form-data; boundary=', undefined],
    ['multipart/form-data; boundary=""', undefined],
    [`multipart/form-data; boundary=${'a'.repeat(71)}`, undefined],
    ['multipart/mixed; boundary=abc', undefined],
    ['text/plain', undefined],
  ])('reads from %s the boundary %s', (type, boundary) => {
    expect(boundaryOf(type)).toBe(boundary)
  })
})
