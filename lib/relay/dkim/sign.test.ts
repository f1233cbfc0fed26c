import { Readable } from 'node:stream'
import fc from 'fast-check'
import { dkimVerify } from 'mailauth/lib/dkim/verify'
import { describe, expect, it } from 'vitest'
import { RelaxedBodyHash } from '#lib/relay/message/inspect-message'
import { type HeaderField, makeField, readFields, writeFields } from '#lib/relay/mime/header-fields'
import { makeDkimKeys, relayDomain } from '#lib/testing/relay/forward'
import { signFields } from './sign.ts'

const { keys, records } = makeDkimKeys()
const now = new Date('2026-11-20T04:05:06Z')
const resolver = async (name: string) => [[records.get(name) ?? '']]

async function sign(head: HeaderField[], body: Buffer) {
  const digest = new RelaxedBodyHash()
  digest.update(body)
  const signatures = await signFields(head, { domain: relayDomain, keys, dkimBodyHash: digest.digest(), now })
  return { signatures, fields: [...signatures, ...head] }
}

async function verdicts(fields: HeaderField[], body: Buffer) {
  const message = Buffer.concat([writeFields(fields), body])
  const { results } = await dkimVerify(Readable.from([message]), { resolver, strict: true })
  return results.map(({ status, algo }) => [algo, status.result])
}

const both = (verdict: string) => [
  ['rsa-sha256', verdict],
  ['ed25519-sha256', verdict],
]
const head = readFields(
  Buffer.from(
    'From: a@relay.example\r\nTo: b@c.example\r\nSubject:  two \t spaces\r\n and a fold \r\nX-Other: x\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n\r\n',
  ),
)
const body = Buffer.from('Hello  you \r\n\r\n \r\n')

describe('a signature with each key', () => {
  it('passes an independent verifier in strict mode, with domain, selector and time', async () => {
    const { signatures, fields } = await sign(head, body)
    expect(await verdicts(fields, body)).toEqual(both('pass'))
    expect(signatures[0]?.raw).toMatch(
      /^DKIM-Signature: v=1; a=rsa-sha256; c=relaxed\/relaxed;\r\n d=relay\.example; s=rsa1; t=1795147506;\r\n/,
    )
    expect(signatures[1]?.raw).toMatch(/^DKIM-Signature: v=1; a=ed25519-sha256; .*\r\n d=relay\.example; s=ed1; /)
    for (const line of signatures.flatMap(({ raw }) => raw.split('\r\n'))) expect(line.length).toBeLessThan(80)
  })

  it('survives changed white space', async () => {
    const { fields } = await sign(head, body)
    const refolded = fields.map((field) => ({
      ...field,
      raw: field.raw.replace(/: ?/, ':   ').replace('\r\n and', ' \r\n\t  and'),
    }))
    expect(await verdicts(refolded, Buffer.from('Hello you\t\r\n'))).toEqual(both('pass'))
  })

  it.each(['From', 'To', 'Cc', 'Reply-To', 'Subject', 'List-Unsubscribe-Post'])(
    'breaks when a %s is added',
    async (name) => {
      const { fields } = await sign(head, body)
      expect(await verdicts([makeField(name, 'x@y.example'), ...fields], body)).toEqual(both('fail'))
      expect(await verdicts([...fields, makeField(name, 'x@y.example')], body)).toEqual(both('fail'))
    },
  )

  it.each(['Date', 'Message-ID', 'Received', 'X-Anything'])('stays valid when the next hop adds a %s', async (name) => {
    const { fields } = await sign(head, body)
    expect(await verdicts([makeField(name, 'x'), ...fields], body)).toEqual(both('pass'))
  })

  it('breaks when a word of the body changes', async () => {
    const { fields } = await sign(head, body)
    expect((await verdicts(fields, Buffer.from('Hello me\r\n'))).map(([, result]) => result)).not.toContain('pass')
  })
})

it('signs any header and any body verifiably, for any chunk boundaries', async () => {
  const text = (...parts: string[]) => fc.array(fc.constantFrom(...parts), { maxLength: 12 }).map((all) => all.join(''))
  const values = text(' ', '\t', 'a', 'é', ';', ':', '=', '"', '\r\n ', '\r\n\t', 'b=', 'x'.repeat(80))
  const names = fc.constantFrom(
    'Subject',
    'subject ',
    'Date',
    'List-Id',
    'Content-Type',
    'References',
    'X-Y',
    'To',
    'CC',
  )
  const heads = fc.array(
    fc.tuple(names, values).map(([name, value]) => `${name}: v${value}`),
    { maxLength: 8 },
  )
  const bodies = text('\r\n', ' ', '\t', 'a', '.', '\xe9', ' \r\n', '\r\n\r\n', 'word '.repeat(40))
  await fc.assert(
    fc.asyncProperty(heads, bodies, async (lines, content) => {
      const fields = readFields(Buffer.from(['From: a@relay.example', ...lines, '', ''].join('\r\n')))
      const bytes = Buffer.from(content, 'latin1')
      expect(await verdicts((await sign(fields, bytes)).fields, bytes)).toEqual(both('pass'))
    }),
    { numRuns: 200 },
  )
})

it('hashes a body independently of chunk boundaries, without buffering empty lines', () => {
  const hashOf = (pieces: Buffer[]) => {
    const digest = new RelaxedBodyHash()
    for (const piece of pieces) digest.update(piece)
    return digest.digest()
  }
  const long = Buffer.from(`a ${'\r\n'.repeat(100_000)} b\t\tc \r\n\r\n`)
  const inOne = hashOf([long])
  expect(hashOf(Array.from(long, (byte) => Buffer.from([byte])))).toBe(inOne)
  expect(hashOf([Buffer.from(`a${'\r\n'.repeat(100_000)} b c\r\n`)])).toBe(inOne)
  expect(hashOf([])).toBe('47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=')
  expect(hashOf([Buffer.from(' \r\n\r\n')])).toBe(hashOf([]))
})
