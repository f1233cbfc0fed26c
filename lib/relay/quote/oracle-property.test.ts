import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fingerprintMessage } from '#lib/relay/quote/fingerprint/fingerprint-message'
import { rewriteReply } from '#lib/relay/reply/rewrite/rewrite-reply'
import {
  answer,
  contexts,
  guess,
  headPlaces,
  pagePlaces,
  someAddresses,
  spellings,
  textPlaces,
} from '#lib/testing/relay/quoting/candidates'
import { mailPrograms } from '#lib/testing/relay/quoting/mail-programs'
import { aboutReply } from '#lib/testing/relay/reply'

const key = Buffer.alloc(32, 7)
const alias = aboutReply.alias.split('@')[0] as string
const [named, stranger] = ['alice.liddell@example.org', 'edith.pleasance@example.com']

/** Returns everything that the app sees of a reply, or the reason of its refusal. */
function outcome(program: string, { raw, received }: ReturnType<typeof guess>, address: string): string {
  const prints = fingerprintMessage(raw, { key, alias, sender: received.fromName })
  const result = rewriteReply(answer(program, received, address, 'Where is it?\nI am waiting.'), {
    ...aboutReply,
    hidden: [address],
    sent: [{ key, alias, prints }],
    mapMessageId: (id) => id,
  })
  return result.kind === 'rewritten' ? result.message.toString('latin1') : result.reason
}

/**
 * Expects the same result for a person among the candidates and for one who is not, when both write the same reply
 * with their own address in it.
 */
function expectSame(program: string, made: ReturnType<typeof guess>): void {
  const ofStranger = outcome(program, made, stranger)
  expect(ofStranger.replace(/=\r\n/g, '').toLowerCase()).not.toContain(stranger)
  expect(outcome(program, made, named)).toBe(ofStranger)
}

const programs = Object.keys(mailPrograms)
const places = [...Object.keys(pagePlaces), ...Object.keys(textPlaces).map((name) => `text: ${name}`), ...headPlaces]
const { PROPERTY_RUNS = '60' } = process.env

describe("an app that guesses the person's address", () => {
  it('receives the same reply from a named and an unnamed person', { timeout: 3_600_000 }, () => {
    fc.assert(
      fc.property(
        fc.record({
          program: fc.constantFrom(...programs),
          place: fc.constantFrom(...places),
          spelling: fc.constantFrom(...Object.keys(spellings)),
          around: fc.constantFrom(...Object.keys(contexts)),
          others: someAddresses(11),
          at: fc.nat(11),
        }),
        ({ program, place, spelling, around, others, at }) => {
          // These places have room for one candidate only.
          const first = ['sender', 'Message-ID', 'name of a picture'].includes(place) ? 0 : at
          expectSame(program, guess({ place, spelling, around, candidates: others.toSpliced(first, 0, named) }))
        },
      ),
      { numRuns: Number(PROPERTY_RUNS) },
    )
  })

  it.each(programs)(
    'learns nothing with 500 candidates from a reply written with %s',
    { timeout: 60_000 },
    (program) => {
      const candidates = fc.sample(someAddresses(499), { numRuns: 1, seed: 7 })[0]?.toSpliced(321, 0, named) ?? []
      for (const place of ['a hidden block', 'titles', 'text: sentences'])
        expectSame(program, guess({ place, spelling: 'plain', around: 'in the middle', candidates }))
    },
  )
})

describe('an ordinary message', () => {
  it.each(programs)('comes back complete, with its addresses, in a quotation by %s', (program) => {
    const candidates = ['bob@example.com', 'carol at example dot org', '4b9bb80620f03eb3719e0a061c14283d']
    for (const around of Object.keys(contexts)) {
      const made = guess({ place: 'a paragraph', spelling: 'plain', around, candidates })
      const sent = outcome(program, made, named)
        .replace(/=\r\n/g, '')
        .replace(/(?:=20)?\s+(?:> ?)?/g, ' ')
      for (const one of candidates) expect(sent).toContain(one)
    }
  })
})
