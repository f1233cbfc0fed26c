import { expect, test } from 'vitest'
import { readFields } from '#lib/relay/mime/header-fields'
import { mapReferences, referencedIds } from './threads.ts'

const fields = readFields(
  Buffer.from(
    'Message-ID: <own@a.example>\r\nReferences: <1@a.example>\r\n\t<2@a.example> junk <1@a.example>\r\nIn-Reply-To: <3@a.example>\r\n\r\n',
  ),
)

test('the ids a message follows, each once, its own not among them', () => {
  expect(referencedIds(fields)).toEqual(['<1@a.example>', '<2@a.example>', '<3@a.example>'])
})

test('known ids change, everything else stays', () => {
  const mapped = fields.map((field) => mapReferences(field, (id) => (id === '<1@a.example>' ? '<x@y>' : undefined)).raw)
  expect(mapped).toEqual([
    'Message-ID: <own@a.example>',
    'References: <x@y>\r\n\t<2@a.example> junk <x@y>',
    'In-Reply-To: <3@a.example>',
  ])
})

test.each(['x@y', '<x@y>\r\nBcc: a@b', '<a b>', '$&'])('a known id that is none, %j, is not written', (id) => {
  expect(fields.map((field) => mapReferences(field, () => id))).toEqual(fields)
})
