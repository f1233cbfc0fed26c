import { describe, expect, it } from 'vitest'
import { resetFactors } from '#lib/server/jobs/reset-factors'
import { openOperators } from '#lib/testing/admin/operators'
import { recordedAt } from '#lib/testing/admin/recorded-at'
import { openAccount } from '#lib/testing/browser/account'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'
import { answerKeepByLink, answerKeepFactors, resetHours } from './factor-reset.ts'
import { answerPersonAct } from './person-act.ts'

const day = resetHours * 3600

describe.each(kinds)('a reset of factors on %s', (kind) => {
  const postern = sharePostern({ kind })
  const { person, newOperator, giveFactors, factorsOf } = openOperators(postern)
  const { later } = { later: (seconds: number) => postern.later(seconds) }
  const run = () => resetFactors(postern.context)

  /** Makes a person with factors and an address, and an operator who asks for the reset. */
  async function setUp(row: Parameters<typeof person>[0] = {}) {
    const operator = await newOperator()
    const username = await person({ email: `${crypto.randomUUID()}@example.org`, ...row })
    const target = await openAccount(postern, username)
    await giveFactors(target.personId)
    const send = async (act: string, by = operator) => {
      const answer = await by.fill(answerPersonAct, { person: target.personId, act, reason: 'lost phone' })
      const flash = await by.flashOf(answer, 'person')
      return flash?.done ?? flash?.problems.map(({ code }) => code).join(' ')
    }
    const key = async () => {
      await postern.context.letters.settled()
      const letter = postern.context.mailbox?.list().find(({ text }) => text.includes('/keep-factors'))
      return /key=([\w-]+)/.exec(letter?.text ?? '')?.[1] ?? ''
    }
    const events = async () => (await target.activity()).map((event) => event.kind)
    return { operator, target, send, key, events, left: () => factorsOf(target.personId) }
  }

  it('waits a day, removes every factor and signs the person out, and writes two letters', async () => {
    const { target, send, left, events } = await setUp()
    expect(await send('reset_factors')).toBe('reset_factors')
    later(day - 60)
    await run()
    expect(await left()).toBe(3)
    later(61)
    await Promise.all(Array.from({ length: 8 }, run))
    expect(await left()).toBe(0)
    expect(await postern.context.signIn.findSession(target.sessionId, postern.context.now())).toBeUndefined()
    await postern.context.letters.settled()
    const { email } = await target.stored()
    expect(postern.context.mailbox?.list().filter(({ to }) => to.includes(email ?? ''))).toHaveLength(2)
    expect((await events()).filter((event) => event === 'factors_reset')).toHaveLength(1)
    expect((await target.stored()).passwordHash).not.toBeNull()
  })

  it('is cancelled by the link of the letter, which opens without a session, once', async () => {
    const { target, send, key, left, events } = await setUp()
    await send('reset_factors')
    const secret = await key()
    const cancel = async (text: string) => {
      const answer = await target.fill(answerKeepByLink, { key: text }, { cookie: '' })
      return (await target.flashOf(answer, 'keep-factors'))?.done
    }
    for (const forged of ['', 'x', secret.slice(1), 'x'.repeat(50_000)]) expect(await cancel(forged)).toBeUndefined()
    const results = await Promise.all(Array.from({ length: 8 }, () => cancel(secret)))
    expect(results.filter(Boolean)).toEqual(['kept'])
    later(day + 1)
    await run()
    expect(await left()).toBe(3)
    expect((await events()).filter((event) => event === 'factor_reset_kept')).toHaveLength(1)
    await send('reset_factors', await newOperator())
    expect(await cancel(secret)).toBeUndefined()
    expect(await postern.context.factorResets.pending(target.personId)).toBeDefined()
  })

  it('rejects a cancellation that another site posts', async () => {
    const { target, send, key } = await setUp()
    await send('reset_factors')
    for (const [handler, fields] of [
      [answerKeepByLink, { key: await key() }],
      [answerKeepFactors, {}],
    ] as const)
      await target.fill(handler, fields as Record<string, string>, { 'sec-fetch-site': 'cross-site' })
    expect(await postern.context.factorResets.pending(target.personId)).toBeDefined()
  })

  it('is cancelled by the person on the account pages, and by an operator', async () => {
    const { target, operator, send, left } = await setUp()
    await send('reset_factors')
    const kept = await target.fill(answerKeepFactors)
    expect((await target.flashOf(kept, 'security'))?.done).toBe('factors_kept')
    const again = await target.fill(answerKeepFactors)
    expect((await target.flashOf(again, 'security'))?.problems).toMatchObject([{ code: 'no_reset' }])
    await send('reset_factors')
    const other = await newOperator()
    expect(await send('cancel_reset', other)).toBe('cancel_reset')
    later(day + 1)
    await run()
    expect(await left()).toBe(3)
    expect(operator.username).not.toBe(other.username)
  })

  it('is carried out or cancelled, when both happen at the same time', async () => {
    const { target, send, left } = await setUp()
    await send('reset_factors')
    later(day + 1)
    const fresh = await openAccount(postern, (await target.stored()).username)
    const [, answer] = await Promise.all([run(), fresh.fill(answerKeepFactors)])
    const isKept = (await fresh.flashOf(answer, 'security'))?.done === 'factors_kept'
    expect(await left()).toBe(isKept ? 3 : 0)
  })

  it('is asked for once by eight forms at once', async () => {
    const { target, send } = await setUp()
    await Promise.all(Array.from({ length: 8 }, () => send('reset_factors')))
    const lines = await postern.context.operatorRecord.list({ personId: target.personId }, undefined, 20)
    expect(lines.filter((line) => line.kind === 'reset_asked')).toHaveLength(1)
  })

  it('never aims at an operator, also one who got the role while it waited', async () => {
    const { target, send, left } = await setUp()
    await send('reset_factors')
    await postern.context.operators.add(target.personId, recordedAt(postern.context.now()))
    expect(await send('reset_factors')).toBe('operator')
    later(day + 1)
    await run()
    expect(await left()).toBe(3)
  })

  it('is refused for a person who could not sign in afterwards', async () => {
    const { target, send, left } = await setUp({ email: undefined, passwordHash: null } as never)
    expect(await send('reset_factors')).toBe('no_way_back')
    expect(await postern.context.factorResets.pending(target.personId)).toBeUndefined()
    expect(await left()).toBe(3)
  })
})
