import { expect, it } from 'vitest'
import { readFields } from '#lib/relay/mime/header-fields'
import { mapReferences, referencedIds } from './threads.ts'

const fields = readFields(
  Buffer.from(
    'Message-ID: <own@a.example>\r\nReferences: <1@a.example>\r\n\t<2@a.example> junk <1@a.example>\r\nIn-Reply-To: <3@a.example>\r\n\r\n',
  ),
)

it('returns the ids that a message follows, each once and without its own', () => {
  expect(referencedIds(fields)).toEqual(['<1@a.example>', '<2@a.example>', '<3@a.example>'])
})

it('replaces known ids and keeps everything else', () => {
  const mapped = fields.map((field) => mapReferences(field, (id) => (id === '<1@a.example>' ? '<x@y>' : undefined)).raw)
  expect(mapped).toEqual([
    'Message-ID: <own@a.example>',
    'References: <x@y>\r\n\t<2@a.example> junk <x@y>',
    'In-Reply-To: <3@a.example>',
  ])
})

it.each(['x@y', '<x@y>\r\nBcc: a@b', '<a b>', '$&'])('does not write the invalid known id %j', (id) => {
  expect(fields.map((field) => mapReferences(field, () => id))).toEqual(fields)
})
