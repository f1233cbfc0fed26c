import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  answer,
  guess,
  headPlaces,
  pagePlaces,
  someAddresses,
  spellings,
  surroundings,
  textPlaces,
} from '#lib/testing/candidates'
import { mailPrograms } from '#lib/testing/mail-programs'
import { aboutReply } from '#lib/testing/reply'
import { rewriteReply } from '../reply/rewrite-reply.ts'
import { printMessage } from './print-message.ts'

const key = Buffer.alloc(32, 7)
const alias = aboutReply.alias.split('@')[0] as string
const wanted = process.env.ORACLE_RUNS
const runs = { numRuns: Number(wanted ?? 150), ...(wanted ? {} : { seed: 17 }) }

/** Everything the app sees of a reply, or what the person is told instead. */
function outcome(program: string, made: ReturnType<typeof guess>, address: string): string {
  const prints = printMessage(made.raw, { key, alias, sender: made.received.fromName })
  const result = rewriteReply(answer(program, made.received, address, 'Where is it?\nI am waiting.'), {
    ...aboutReply,
    hidden: [address],
    sent: [{ key, alias, prints }],
    mapMessageId: (id) => id,
  })
  return result.kind === 'rewritten' ? result.message.toString('latin1') : result.reason
}

const places = [...Object.keys(pagePlaces), ...Object.keys(textPlaces).map((name) => `text: ${name}`), ...headPlaces]

describe('an app that guesses', () => {
  test('gets the same reply from somebody it named and from somebody it did not', { timeout: 600_000 }, () => {
    fc.assert(
      fc.property(
        fc.record({
          program: fc.constantFrom(...Object.keys(mailPrograms)),
          place: fc.constantFrom(...places),
          spelling: fc.constantFrom(...Object.keys(spellings)),
          around: fc.constantFrom(...Object.keys(surroundings)),
          addresses: someAddresses(12),
          at: fc.nat(10),
        }),
        ({ program, place, spelling, around, addresses, at }) => {
          const [stranger = '', ...candidates] = addresses
          const made = guess({ place, spelling, around, candidates })
          const ofStranger = outcome(program, made, stranger)
          expect(ofStranger.toLowerCase()).not.toContain(stranger)
          const named = ['sender', 'Message-ID', 'name of a picture'].includes(place) ? candidates[0] : candidates[at]
          expect(outcome(program, made, named as string)).toBe(ofStranger)
        },
      ),
      runs,
    )
  })
})
