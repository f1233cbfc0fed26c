import { describe, expect, it } from 'vitest'
import { answerDeletion, answerKeep } from '#lib/account/data/delete-account'
import { openOperators } from '#lib/testing/admin/operators'
import { recordedAt } from '#lib/testing/admin/recorded-at'
import { openAccount } from '#lib/testing/browser/account'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'
import { answerPersonAct } from './person-act.ts'

describe.each(kinds)('the acts of operators about people on %s', (kind) => {
  const postern = sharePostern({ kind })
  const { newcomer, newOperator, noOperators } = openOperators(postern)
  type Operator = Awaited<ReturnType<typeof newOperator>>

  /** Sends a form; returns the message or the codes of the problems. */
  const act = async (operator: Operator, person: string, name: string, reason = 'asked by phone') => {
    const answer = await operator.fill(answerPersonAct, { person, act: name, reason })
    const flash = await operator.flashOf(answer, 'person')
    return flash?.done ?? flash?.problems.map(({ field = '', code }) => `${field} ${code}`.trim()).join(' ')
  }
  const record = (personId: string) => postern.context.operatorRecord.list({ personId }, undefined, 100)
  const kindsOf = async (personId: string) => (await record(personId)).map((line) => line.kind).sort()

  it('disables and enables an account, and shows both to the operators and to the person', async () => {
    const [operator, target] = [await newOperator(), await newcomer()]
    expect(await act(operator, target.personId, 'disable', 'stolen account')).toBe('disable')
    expect(await postern.context.signIn.findSession(target.sessionId, postern.context.now())).toBeUndefined()
    expect(await act(operator, target.personId, 'enable', 'owner called')).toBe('enable')
    expect((await target.stored()).disabledAt).toBeNull()
    const events = (await target.activity()).map(({ kind: event, detail }) => [event, detail.reason])
    expect(events).toContainEqual(['disabled_by_operator', 'stolen account'])
    expect(events).toContainEqual(['enabled_by_operator', 'owner called'])
    expect(await kindsOf(target.personId)).toEqual(['disabled', 'enabled', 'looked'])
    expect((await record(target.personId)).every(({ actor }) => actor === operator.username)).toBe(true)
  })

  it('writes one line for eight equal acts at once', async () => {
    const [operator, target] = [await newOperator(), await newcomer()]
    const results = await Promise.all(Array.from({ length: 8 }, () => act(operator, target.personId, 'disable')))
    expect(results).toEqual(Array.from({ length: 8 }, () => 'disable'))
    expect(await kindsOf(target.personId)).toEqual(['disabled', 'looked'])
  })

  it('signs a person out everywhere, and ends the access of apps', async () => {
    const operator = await newOperator()
    const ada = await openAccount(postern)
    const code = await postern.approve()
    expect(await act(operator, ada.personId, 'sign_out')).toBe('sign_out')
    expect(await postern.context.signIn.findSession(ada.sessionId, postern.context.now())).toBeUndefined()
    expect(code).toBeTruthy()
    const live = { personId: ada.personId, revokedAt: null }
    expect(await postern.context.database.prisma.authorization.count({ where: live })).toBe(0)
  })

  it('ends the waits of an account', async () => {
    const [operator, target] = [await newOperator(), await newcomer()]
    const { attempts, operatorPeople, now } = postern.context
    const key = `letters:confirmation:${target.personId}`
    for (let n = 0; n < 3; n++) await attempts.take([{ key, free: 1, longest: 600, window: 3600 }])
    expect(await operatorPeople.waitsUntil([key], now())).toBeInstanceOf(Date)
    expect(await act(operator, target.personId, 'unlock')).toBe('unlock')
    expect(await operatorPeople.waitsUntil([key], now())).toBeUndefined()
  })

  it('starts a deletion that the person or an operator can cancel', async () => {
    const [operator, target] = [await newOperator(), await newcomer()]
    expect(await act(operator, target.personId, 'delete')).toBe('delete')
    expect((await target.stored()).deleteAfter).not.toBeNull()
    expect(await act(operator, target.personId, 'keep')).toBe('keep')
    expect((await target.stored()).deleteAfter).toBeNull()
    expect(await act(operator, target.personId, 'delete')).toBe('delete')
    await (await openAccount(postern, target.username)).fill(answerKeep)
    expect((await target.stored()).deleteAfter).toBeNull()
  })

  it.each([
    ['', 'disable', 'reason-disable reason_missing'],
    [' \u202e\n', 'disable', 'reason-disable reason_missing'],
    ['why', 'become_them', 'act_unknown'],
    ['why', '', 'act_unknown'],
    ['why', '__proto__', 'act_unknown'],
  ])('rejects the reason %j with the act %s', async (reason, name, problem) => {
    const [operator, target] = [await newOperator(), await newcomer()]
    expect(await act(operator, target.personId, name, reason)).toBe(problem)
    expect((await target.stored()).disabledAt).toBeNull()
  })

  it('keeps a reason on one line and within its length', async () => {
    const [operator, target] = [await newOperator(), await newcomer()]
    await act(operator, target.personId, 'sign_out', `first\r\nsecond ${'x'.repeat(500)}`)
    const line = (await record(target.personId)).find((one) => one.kind === 'signed_out')
    expect(line?.reason).toMatch(/^first second x+$/)
    expect(line?.reason).toHaveLength(200)
  })

  it('changes nothing for forged ids', async () => {
    const operator = await newOperator()
    for (const person of ['', 'nobody', '../people', 'x'.repeat(50_000), "' OR 1=1", '__proto__', '%00'])
      expect(await act(operator, person, 'disable')).toBe('')
  })

  it('changes nothing about the operator’s own account', async () => {
    const operator = await newOperator()
    for (const name of ['disable', 'delete', 'sign_out', 'reset_factors', 'unlock'])
      expect(await act(operator, operator.personId, name)).toBe('own_account')
    expect((await operator.stored()).disabledAt).toBeNull()
  })

  it.each(['disable', 'delete'])('leaves one of two operators who %s each other at the same time', async (name) => {
    await noOperators()
    const [one, other] = [await newOperator(), await newOperator()]
    await Promise.all([act(one, other.personId, name), act(other, one.personId, name)])
    const rows = [await one.stored(), await other.stored()]
    expect(rows.filter(({ disabledAt, deleteAfter }) => !disabledAt && !deleteAfter)).toHaveLength(1)
  })

  it('leaves one of two operators who delete their own accounts at the same time', async () => {
    await noOperators()
    const [one, other] = [await newOperator(), await newOperator()]
    await Promise.all([one, other].map((account) => account.fill(answerDeletion, { confirm: account.username })))
    const rows = [await one.stored(), await other.stored()]
    expect(rows.filter(({ deleteAfter }) => deleteAfter === null)).toHaveLength(1)
  })

  it('counts a disabled operator as one who cannot act', async () => {
    await noOperators()
    const [one, other] = [await newOperator(), await newOperator()]
    expect(await act(one, other.personId, 'disable')).toBe('disable')
    await one.fill(answerDeletion, { confirm: one.username })
    expect((await one.stored()).deleteAfter).toBeNull()
    expect(await postern.context.operators.remove(one.personId, false, recordedAt(postern.context.now()))).toBe('last')
    expect(await postern.context.operators.remove(one.personId, true, recordedAt(postern.context.now()))).toBe(
      'removed',
    )
  })

  it('writes one line for ten looks in an hour, for the operators and for the person', async () => {
    const [operator, other, target] = [await newOperator(), await newOperator(), await newcomer()]
    const { operatorPeople } = postern.context
    const hour = new Date('2027-01-01T10:00:00Z')
    const at = (minutes: number) => new Date(hour.getTime() + minutes * 60_000)
    const looks = Array.from({ length: 10 }, (_, n) => operatorPeople.look(target.personId, at(n), operator.username))
    await Promise.all(looks)
    await operatorPeople.look(target.personId, at(20), other.username)
    await operatorPeople.look(target.personId, at(60), operator.username)
    const lines = await record(target.personId)
    expect(lines.map(({ actor, looks: count }) => [actor, count])).toEqual([
      [operator.username, 1],
      [other.username, 1],
      [operator.username, 10],
    ])
    expect((await target.activity()).filter((event) => event.kind === 'operator_looked')).toHaveLength(2)
  })

  it('keeps the record when the account is deleted, without the person', async () => {
    const [operator, target] = [await newOperator(), await newcomer()]
    await act(operator, target.personId, 'sign_out', 'lost laptop')
    await postern.context.database.prisma.person.delete({ where: { id: target.personId } })
    const lines = await postern.context.operatorRecord.list({}, undefined, 100)
    expect(lines.find(({ reason }) => reason === 'lost laptop')).toMatchObject({ person: undefined, target: '' })
  })
})
