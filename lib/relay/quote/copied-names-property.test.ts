import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fingerprintMessage } from '#lib/relay/quote/fingerprint/fingerprint-message'
import { packFingerprints, unpackFingerprints } from '#lib/relay/quote/fingerprint/fingerprints'
import { rewriteReply } from '#lib/relay/reply/rewrite/rewrite-reply'
import { someAddresses } from '#lib/testing/relay/quoting/candidates'
import {
  type AttachedFile,
  copies,
  csv,
  docx,
  files,
  type Letter,
  moreSpellings,
  renamings,
  sentences,
} from '#lib/testing/relay/quoting/copied-names'
import { alias, key, outcome, written } from '#lib/testing/relay/quoting/outcome'
import { aboutReply } from '#lib/testing/relay/reply'

const [named, stranger] = ['alice.liddell@example.org', 'edith.pleasance@example.com']

function expectSame(sent: Letter, reply: Letter): string {
  const ofStranger = outcome(sent, reply, stranger)
  expect(outcome(sent, reply, named)).toBe(ofStranger)
  expect(ofStranger).not.toContain(stranger)
  return ofStranger
}

const { PROPERTY_RUNS = '75' } = process.env
const runs = { numRuns: Number(PROPERTY_RUNS) }
const spellingNames = fc.constantFrom(...Object.keys(moreSpellings))
const guesses = fc.tuple(someAddresses(7), fc.nat(7), spellingNames).map(([others, at, spelling]) => ({
  at,
  spelling,
  candidates: others.toSpliced(at, 0, named).map(moreSpellings[spelling] as (address: string) => string),
}))

describe("a reply to an app that guesses the person's address", () => {
  it('is the same for a named and an unnamed person when lines are copied by hand', { timeout: 3_600_000 }, () => {
    fc.assert(
      fc.property(
        guesses,
        fc.constantFrom(...Object.keys(copies)),
        fc.integer({ min: 20, max: 80 }),
        fc.nat(7),
        ({ candidates, at }, copy, width, other) => {
          const lines = sentences(candidates)
          const make = copies[copy] as (typeof copies)[string]
          expectSame({ text: lines.join('\n') }, make(lines, other % 2 ? other : at, width))
        },
      ),
      runs,
    )
  })

  it('is the same for a named and an unnamed person when a file comes back changed', { timeout: 3_600_000 }, () => {
    fc.assert(
      fc.property(guesses, fc.constantFrom(...Object.keys(files)), ({ candidates }, kind) => {
        const { type, name, make } = files[kind] as (typeof files)[string]
        const file = (rows: string[]) => ({ type, name, bytes: make(rows) })
        expectSame(
          { text: 'Please fill this in.', files: [file(candidates)] },
          { text: 'Here it is.', files: [file([...candidates, 'Yes, all of them'])] },
        )
      }),
      runs,
    )
  })

  it('is the same for a named and an unnamed person when a file comes back renamed', { timeout: 3_600_000 }, () => {
    const nameSpellings = ['plain', 'capitals', 'md5', 'written'].map(
      (one) => moreSpellings[one] as (typeof moreSpellings)[string],
    )
    fc.assert(
      fc.property(
        fc.constantFrom(...nameSpellings),
        fc.constantFrom(...renamings),
        fc.boolean(),
        (write, rename, isChanged) => {
          const name = write(named)
          const file = (called: string, bytes: string) => ({
            type: 'image/png',
            name: called,
            bytes: Buffer.from(bytes),
          })
          expectSame(
            { text: 'Please sign.', files: [file(`${name}.png`, 'picture')] },
            { text: 'Here.', files: [file(rename(name, '.png'), isChanged ? 'another' : 'picture')] },
          )
        },
      ),
      runs,
    )
  })
})

describe('a reply to a guessing app whose names are not stored', () => {
  const line = `We know ${named} as a friend of ours.`
  const closed = { name: 'people.7z', type: 'application/octet-stream', bytes: Buffer.from('377abcaf271c0004', 'hex') }

  it('is the same for everyone after a file that cannot be opened', () => {
    expectSame({ text: 'Look.', files: [closed] }, { text: line })
    expectSame(
      { text: 'Look.', files: [closed] },
      { text: 'Here.', files: [{ ...closed, name: 'people.docx', bytes: docx([named]) }] },
    )
  })

  it('is the same for everyone after more names than the limit', () => {
    const many = Array.from({ length: 9000 }, (_, at) => `person${at}@example.org`)
    expectSame({ text: [...many, line].join('\n') }, { text: line })
  })

  it('is the same for everyone with stored fingerprints that contain no names', () => {
    const raw = Buffer.from(`Subject: Order 7\r\n${written({ text: line })}`)
    const { runs, exactHashes, nameLength } = unpackFingerprints(
      fingerprintMessage(raw, { key, alias, sender: 'News' }),
    )
    const prints = packFingerprints({ runs, exactHashes, nameLength, names: undefined })
    const answers = [named, stranger].map((address) =>
      rewriteReply(Buffer.from(`From: <${address}>\r\nSubject: x\r\n${written({ text: line })}`), {
        ...aboutReply,
        hidden: [address],
        sent: [{ key, alias, prints }],
      }),
    )
    expect(answers[0]).toEqual(answers[1])
  })
})

describe('a signature', () => {
  it('is the same whether the app named its address before or not', () => {
    const [guessed, other] = [`Are you ${named}?`, 'Are you bob@example.com?']
    expect(outcome({ text: guessed }, { text: 'No.' }, named)).toBe(outcome({ text: other }, { text: 'No.' }, named))
  })
})

describe('an everyday reply', () => {
  const sent = {
    text: 'Hello,\nyour order 2026-11-20 has left. Parcel 1Z999AA10123456784, see https://www.acme.example/orders/4711?lang=en or write to support@acme.example.\nhelp@parcels.example',
    files: [{ type: 'text/csv', name: 'form.csv', bytes: csv(['support@acme.example', '']) }],
  }

  it('keeps dates, numbers, links and addresses of the app, and addresses that the app did not send', () => {
    const text =
      'Where is parcel 1Z999AA10123456784 of order 2026-11-20? I saw https://www.acme.example/orders/4711?lang=en and wrote to support@acme.example, and bob@example.com.'
    const about = { ...aboutReply, to: 'news@acme.example', hidden: [stranger] }
    const raw = Buffer.from(`Subject: Order 7\r\n${written(sent)}`)
    const prints = fingerprintMessage(raw, { key, alias, sender: 'News' })
    const answer = written({
      text,
      files: [{ ...sent.files[0], bytes: csv(['support@acme.example', 'yes']) } as AttachedFile],
    })
    const result = rewriteReply(Buffer.from(`From: <${stranger}>\r\nSubject: Re: Order 7\r\n${answer}`), {
      ...about,
      sent: [{ key, alias, prints }],
    })
    const message = result.kind === 'rewritten' ? result.message.toString('latin1') : result.reason
    expect(message.replaceAll('=\r\n', '').replaceAll('=3D', '=')).toContain(text)
    expect(message).toContain(csv(['support@acme.example', 'yes']).toString('base64').slice(0, 60))
  })
})
