import { describe, expect, it } from 'vitest'
import { answerAddressRemoval, answerNewAddress } from '#lib/account/email/change-address'
import { undoDays, undoHashOf } from '#lib/account/email/undo'
import { hashPassword } from '#lib/crypto/password-hash'
import { openAccount } from '#lib/testing/browser/account'
import { openAddressChanges, password } from '#lib/testing/browser/address-change'
import { kinds } from '#lib/testing/databases/databases'
import { getTokens } from '#lib/testing/oauth/get-tokens'
import { sharePostern } from '#lib/testing/process/share-postern'
import { lettersTo } from '#lib/testing/relay/mail'
import { answerEmailUndo } from './undo-email-change.ts'

const week = undoDays * 86_400

describe.each(kinds)('the undo of an e-mail change on %s', (kind) => {
  const postern = sharePostern({ kind })
  const { newPerson, change, keyFor, undo, isOpen, prisma } = openAddressChanges(postern)
  const subjectsTo = async (address: string) =>
    (await lettersTo(postern.context, address)).map(({ subject }) => subject)
  const emailOf = async ({ stored }: { stored(): Promise<{ email: string | null }> }) => (await stored()).email

  it('restores the address, ends the sessions of the change and since, and keeps older ones', async () => {
    const person = await newPerson()
    const { old, username, personId } = person
    const changer = await openAccount(postern, username)
    expect(await change(changer, `new-${old}`)).toBe('changed')
    const since = await openAccount(postern, username)
    await since.fill(answerNewAddress, { address: `next-${old}` })
    const before = await person.stored()
    const sessions = await prisma().session.count()
    expect(await undo(person, { key: (await keyFor(old)) ?? '', password })).toBe('undone')
    const after = await person.stored()
    expect(after).toEqual({ ...before, email: old, knownVersion: before.knownVersion + 1 })
    expect([await isOpen(person.sessionId), await isOpen(changer.sessionId), await isOpen(since.sessionId)]).toEqual([
      true,
      false,
      false,
    ])
    // Signs no one in.
    expect(await prisma().session.count()).toBe(sessions)
    expect((await prisma().emailCode.findMany({ where: { personId } })).map(({ hash }) => hash)).toEqual([''])
    expect((await prisma().formerEmail.findMany({ where: { personId } })).map(({ address }) => address)).toEqual([
      `new-${old}`,
    ])
    expect(await person.activity()).toEqual(
      expect.arrayContaining([expect.objectContaining({ kind: 'email_restored', detail: { count: '2' } })]),
    )
    expect(await subjectsTo(old)).toContain('Your e-mail address is back')
    expect(await subjectsTo(`new-${old}`)).toContain('This e-mail address was taken off your account')
  })

  it('says that the link is over for an absent, empty, unknown, huge, used or expired secret, and on another site', async () => {
    const person = await newPerson()
    const { old } = person
    await change(person, `new-${old}`)
    const key = (await keyFor(old)) ?? ''
    expect(await undo(person, { password })).toBe('over')
    for (const forged of ['', 'x', key.slice(1), `${key}x`, 'x'.repeat(50_000), '<script>'])
      expect(await undo(person, { key: forged, password })).toBe('over')
    const foreign = await person.fill(answerEmailUndo, { key, password }, { 'sec-fetch-site': 'cross-site' })
    const malformed = await person.fill(answerEmailUndo, { key: '\u0000', password }, { cookie: '' })
    for (const refused of [foreign, malformed]) expect(refused.headers.get('location')).toContain('/error')
    expect(await emailOf(person)).toBe(`new-${old}`)
    postern.later(week - 120)
    expect(await postern.context.emailUndos.find(undoHashOf(key), postern.context.now())).toBeDefined()
    postern.later(120)
    expect(await undo(person, { key, password })).toBe('over')
    expect(await emailOf(person)).toBe(`new-${old}`)
  })

  it('answers a form with repeated and huge fields', async () => {
    const person = await newPerson()
    await change(person, `new-${person.old}`)
    const key = (await keyFor(person.old)) ?? ''
    const twice = new URLSearchParams([
      ['key', key],
      ['key', 'other'],
      ['password', 'x'],
      ['password', password],
    ])
    const answer = await person.post(answerEmailUndo, twice, { cookie: '' })
    expect((await person.flashOf(answer, 'undo-email'))?.problems).toEqual([
      { field: 'password', code: 'password_wrong' },
    ])
    expect(await undo(person, { key, password: 'x'.repeat(40_000) })).toBe('password_wrong')
    expect(await undo(person, { key, by: 'code', code: 'x'.repeat(40_000) })).toBe('code_wrong')
    expect(await undo(person, { key, credential: 'x'.repeat(40_000), state: 'x' })).toBe('passkey_expired')
    expect(await undo(person, { key })).toBe('password_missing')
    expect(await undo(person, { key, by: 'code', code: ' ' })).toBe('code_missing')
  })

  it('is done once by eight forms at the same time, and a replay finds the link over', async () => {
    const person = await newPerson()
    await change(person, `new-${person.old}`)
    const fields = { key: (await keyFor(person.old)) ?? '', password }
    const said = await Promise.all(Array.from({ length: 8 }, () => undo(person, fields)))
    expect(said.filter((one) => one === 'undone')).toHaveLength(1)
    expect(said.filter((one) => one === 'over')).toHaveLength(7)
    expect(await undo(person, fields)).toBe('over')
    expect((await person.activity()).filter((event) => event.kind === 'email_restored')).toHaveLength(1)
  })

  it("takes no one else's password, and no password that was set after the change", async () => {
    const [person, other] = [await newPerson(), await newPerson()]
    const hash = await hashPassword('a password of someone else')
    await prisma().person.update({ where: { id: other.personId }, data: { passwordHash: hash } })
    await change(person, `new-${person.old}`)
    const key = (await keyFor(person.old)) ?? ''
    expect(await undo(other, { key, password: 'a password of someone else' })).toBe('password_wrong')
    const newer = await hashPassword('a brand new pass phrase')
    await postern.context.signUps.setPassword(person.personId, newer, postern.context.now())
    expect(await undo(person, { key, password: 'a brand new pass phrase' })).toBe('too_new')
    expect(await undo(person, { key, password })).toBe('password_wrong')
    expect(await emailOf(person)).toBe(`new-${person.old}`)
  })

  it('takes a password whose time is unknown', async () => {
    const person = await newPerson()
    await prisma().person.update({ where: { id: person.personId }, data: { passwordSetAt: null } })
    await change(person, `new-${person.old}`)
    expect(await undo(person, { key: (await keyFor(person.old)) ?? '', password })).toBe('undone')
  })

  it('waits after many wrong passwords, and after many unknown links', async () => {
    const person = await newPerson()
    await change(person, `new-${person.old}`)
    const key = (await keyFor(person.old)) ?? ''
    for (let n = 0; n < 10; n++) await undo(person, { key, password: 'wrong' })
    expect(await undo(person, { key, password })).toBe('wait')
    await prisma().attempt.deleteMany()
    for (let n = 0; n < 30; n++) await undo(person, { key: `unknown-${n}`, password })
    expect(await undo(person, { key, password })).toBe('wait')
  })

  it('is offered for each of several changes: the first one voids the later ones, a later one keeps the first', async () => {
    const person = await newPerson()
    const { old } = person
    const addresses = [old, `b-${old}`, `c-${old}`, `d-${old}`]
    for (const address of addresses.slice(1)) {
      await prisma().attempt.deleteMany()
      await change(await openAccount(postern, person.username), address)
    }
    const [first = '', second = '', third = ''] = await Promise.all(addresses.slice(0, 3).map(keyFor))
    expect(await undo(person, { key: third, password })).toBe('undone')
    expect(await emailOf(person)).toBe(`c-${old}`)
    expect(await undo(person, { key: first, password })).toBe('undone')
    expect(await emailOf(person)).toBe(old)
    expect(await undo(person, { key: second, password })).toBe('over')
    // The addresses of the voided changes are free again.
    const other = await newPerson()
    expect(await change(other, `b-${old}`)).toBe('changed')
  })

  it('has no link when the old inbox is lost, and still writes to it', async () => {
    const person = await newPerson()
    expect(await change(person, `new-${person.old}`, true)).toBe('changed_for_good')
    expect(await subjectsTo(person.old)).toContain('Your e-mail address was changed')
    expect(await keyFor(person.old)).toBeUndefined()
    const gone = await newPerson()
    const answer = await gone.fill(answerAddressRemoval, { lost: '1' })
    expect((await gone.flashOf(answer, 'email-remove'))?.done).toBe('removed_for_good')
    expect(await keyFor(gone.old)).toBeUndefined()
  })

  it('gives apps the restored address', async () => {
    const person = await newPerson()
    const { old, username } = person
    const { access_token } = await getTokens(postern, { username, scopes: ['openid', 'email'] })
    const shown = async () => (await (await postern.userinfo(access_token)).json()).email
    await change(person, `new-${old}`)
    expect(await shown()).toBe(`new-${old}`)
    await undo(person, { key: (await keyFor(old)) ?? '', password })
    expect(await shown()).toBe(old)
  })

  it('restores an address that was removed', async () => {
    const person = await newPerson()
    const answer = await person.fill(answerAddressRemoval, {})
    expect((await person.flashOf(answer, 'email-remove'))?.done).toBe('removed')
    postern.later(60)
    expect(await undo(person, { key: (await keyFor(person.old)) ?? '', password })).toBe('undone')
    expect(await emailOf(person)).toBe(person.old)
  })

  it('is not offered to a disabled or deleted account', async () => {
    const person = await newPerson()
    await change(person, `new-${person.old}`)
    const fields = { key: (await keyFor(person.old)) ?? '', password }
    const where = { id: person.personId }
    for (const gone of [{ disabledAt: postern.context.now() }, { deleteAfter: postern.context.now() }]) {
      await prisma().person.update({ where, data: gone })
      expect(await undo(person, fields)).toBe('over')
      expect(await postern.context.emailUndos.undo(undoHashOf(fields.key), postern.context.now())).toBe('over')
      await prisma().person.update({ where, data: { disabledAt: null, deleteAfter: null } })
    }
    await prisma().person.update({ where, data: { deleteAfter: postern.context.now() } })
    while (!(await postern.context.deletions.erase(person.personId, postern.context.now(), 100)));
    expect(await prisma().emailChange.count({ where: { personId: person.personId } })).toBe(0)
    expect(await undo(await newPerson(), fields)).toBe('over')
  })
})
