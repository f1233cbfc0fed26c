import { expect, it } from 'vitest'
import { duplicateGuard } from '#lib/relay/message/duplicate-guard'
import { readFields } from '#lib/relay/mime/header-fields'
import { appMessage, openRelayTest } from '#lib/testing/relay/relay'
import { keepAppThread, keepPersonThread, mapIdsForApp, mapIdsForPerson, ourId } from './threads.ts'

const [theirs, own, stranger] = ['<order-7@acme.example>', '<1@mail.example.org>', '<2@mail.example.org>']
const replyTo = (...ids: string[]) => readFields(Buffer.from(`References: ${ids.join(' ')}\r\n\r\n`))

/** The relay before and after the rotation of its SECRET_KEY, with the previous key configured. */
async function setUp() {
  const { context, alias } = await openRelayTest()
  const [before = Buffer.alloc(0)] = context.relay.keys.mark
  const withMarks = (...mark: [Buffer, ...Buffer[]]) => ({
    ...context.relay,
    keys: { ...context.relay.keys, mark },
  })
  return {
    name: alias.split('@')[0] as string,
    alias,
    before: withMarks(before),
    after: withMarks(Buffer.alloc(32, 7), before),
    stranger: withMarks(Buffer.alloc(32, 7)),
  }
}

it('keeps threads across a key rotation on both sides', async () => {
  const { before, after, stranger: without, name } = await setUp()
  await keepAppThread(before, name, theirs)
  await keepPersonThread(before, name, own)
  const known = ourId(before, name, own)
  const toApp = await mapIdsForApp(after, name, replyTo(theirs, own, stranger))
  expect([theirs, own, stranger].map(toApp)).toEqual([theirs, known, ourId(after, name, stranger)])
  expect((await mapIdsForPerson(after, name, replyTo(known)))(known)).toBe(own)
  // Without the previous key, the ids are unknown.
  const strange = await mapIdsForApp(without, name, replyTo(theirs, own))
  expect([strange(theirs), strange(own)]).not.toContain(known)
  expect(strange(theirs)).not.toBe(theirs)
})

it('recognizes a repeated message after a key rotation', async () => {
  const { before, after, stranger: without, alias } = await setUp()
  const fields = readFields(Buffer.from(appMessage(alias)))
  const incoming = { from: 'news@acme.example', to: alias, message: { bodySha256: 'x' } } as Parameters<
    typeof duplicateGuard
  >[1]
  await duplicateGuard(before, incoming, fields).keep()
  const wasTaken = (relay: typeof before) => duplicateGuard(relay, incoming, fields).wasTaken()
  expect(await Promise.all([before, after, without].map(wasTaken))).toEqual([true, true, false])
})
