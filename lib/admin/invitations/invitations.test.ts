import { describe, expect, it } from 'vitest'
import { invitationHash } from '#lib/account/person/invitation'
import { answerNewTeam } from '#lib/console/team/create-team'
import { openOperators } from '#lib/testing/admin/operators'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'
import { answerInvitationMaking, answerInvitationWithdrawal } from './invitations.ts'

describe.each(kinds)('the invitations of operators on %s', (kind) => {
  const postern = sharePostern({ kind, env: { TEAMS: 'invite' } })
  const { newOperator, newcomer } = openOperators(postern)
  type Account = Awaited<ReturnType<typeof newOperator>>

  const make = async (account: Account, fields: Record<string, string> = {}) => {
    const sent = { purpose: 'team', note: 'for Grace', days: '14', ...fields }
    const flash = await account.flashOf(await account.fill(answerInvitationMaking, sent), 'admin-invitations')
    const result = flash?.done ?? flash?.problems.map(({ field = '', code }) => `${field} ${code}`.trim()).join(' ')
    return { result, code: flash?.kept.code ?? '' }
  }
  const withdraw = async (account: Account, hash: string) => {
    const flash = await account.flashOf(
      await account.fill(answerInvitationWithdrawal, { invitation: hash }),
      'admin-invitations',
    )
    return flash?.done ?? flash?.problems.map(({ code }) => code).join(' ')
  }
  const createTeam = async (account: Account, invitation: string) => {
    const name = `Team of ${account.username}`
    const answer = await account.fill(answerNewTeam, { name, invitation })
    const flash = await account.flashOf(answer, 'new-team')
    return flash?.done ?? flash?.problems.map(({ code }) => code).join(' ')
  }
  const find = async (code: string) =>
    (await postern.context.invitations.list(undefined, 100)).find(({ hash }) => hash === invitationHash(code))
  const lines = async (hash: string) => {
    const all = await postern.context.operatorRecord.list({}, undefined, 200)
    return all.filter(({ details }) => details === hash.slice(0, 8)).map((line) => line.kind)
  }

  it('makes a code that one person creates a team with, and records it', async () => {
    const [operator, guest, other] = [await newOperator(), await newcomer(), await newcomer()]
    const { result, code } = await make(operator)
    expect([result, await find(code)]).toMatchObject(['invitation_made', { purpose: 'team', note: 'for Grace' }])
    expect(await createTeam(guest, code)).toBe('created')
    expect(await createTeam(other, code)).toBe('invitation_wrong')
    expect(await lines(invitationHash(code))).toEqual(['team_invited'])
    expect(await withdraw(operator, invitationHash(code))).toBe('invitation_used')
  })

  it('withdraws a code once, which then no longer works', async () => {
    const [operator, guest] = [await newOperator(), await newcomer()]
    const { code } = await make(operator)
    const hash = invitationHash(code)
    const eight = await Promise.all(Array.from({ length: 8 }, () => withdraw(operator, hash)))
    expect(new Set(eight)).toEqual(new Set(['invitation_withdrawn']))
    expect(await createTeam(guest, code)).toBe('invitation_wrong')
    expect((await lines(hash)).toSorted()).toEqual(['invitation_withdrawn', 'team_invited'])
  })

  it('is either used or withdrawn, never both', async () => {
    const [operator, guest] = [await newOperator(), await newcomer()]
    const { code } = await make(operator)
    const [created, withdrawn] = await Promise.all([createTeam(guest, code), withdraw(operator, invitationHash(code))])
    expect([created === 'created', withdrawn === 'invitation_used']).toSatisfy(([a, b]: boolean[]) => a === b)
  })

  it.each([
    [{ purpose: '' }, 'purpose purpose_missing'],
    [{ purpose: 'operator' }, 'purpose purpose_missing'],
    [{ days: '0' }, 'days days_wrong'],
    [{ days: '366' }, 'days days_wrong'],
    [{ days: '1.5' }, 'days days_wrong'],
    [{ days: '-1' }, 'days days_wrong'],
    [{ days: '1e3' }, 'days days_wrong'],
    [{ days: '' }, 'days days_wrong'],
  ])('refuses %j', async (fields, problem) => {
    expect((await make(await newOperator(), fields)).result).toBe(problem)
  })

  it('keeps a note on one line and within its length', async () => {
    const { code } = await make(await newOperator(), { note: `two\nlines \u202e${'x'.repeat(500)}` })
    const note = (await find(code))?.note ?? ''
    expect([note.length, /^two lines +x/.test(note)]).toEqual([200, true])
  })

  it('does nothing for other people, for forged forms and for unknown invitations', async () => {
    const [operator, stranger] = [await newOperator(), await newcomer(['pwd', 'mfa'])]
    expect(await make(stranger)).toEqual({ result: '', code: '' })
    const { code } = await make(operator)
    const hash = invitationHash(code)
    expect(await withdraw(stranger, hash)).toBe('')
    const site = { 'sec-fetch-site': 'cross-site' }
    await operator.fill(answerInvitationWithdrawal, { invitation: hash }, site)
    for (const unknown of ['', 'x', "' OR 1=1", 'x'.repeat(10_000)]) await withdraw(operator, unknown)
    expect(await find(code)).toBeDefined()
  })
})
