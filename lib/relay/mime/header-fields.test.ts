import fc from 'fast-check'
import { expect, it } from 'vitest'
import { endOfHead, fieldValue, readFields, writeFields } from './header-fields.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')

it('keeps the order, the folding and every byte of the fields', () => {
  const head = bytes('Subject: one\r\n\ttwo\r\nX-Odd : \xff\r\nsubject:three\r\nno field at all\r\n\r\n')
  const fields = readFields(head)
  expect(fields.map(({ name }) => name)).toEqual(['subject', 'x-odd', 'subject', ''])
  expect(fieldValue(fields[0] as (typeof fields)[0])).toBe('one\ttwo')
  expect(writeFields(fields)).toEqual(head)
})

it('ends the header block at the first empty line and accepts a message without one', () => {
  expect(endOfHead(bytes('A: b\r\n\r\nbody\r\n\r\n'))).toBe(8)
  expect(endOfHead(bytes('\r\nbody'))).toBe(2)
  expect(endOfHead(bytes('A: b\r\n'))).toBeUndefined()
})

it('writes parsed fields back byte for byte', () => {
  const line = fc.string({ unit: fc.constantFrom('A', 'b', ':', ' ', '\t', '\xe9', '-'), minLength: 1 })
  fc.assert(
    fc.property(fc.array(line, { minLength: 1 }), (lines) => {
      const head = bytes(`X: first\r\n${lines.join('\r\n')}\r\n\r\n`)
      expect(writeFields(readFields(head))).toEqual(head)
    }),
  )
})
