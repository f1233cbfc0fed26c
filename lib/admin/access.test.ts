import { globSync, readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { currentSession } from '#lib/account/signed-in/session'
import { answerInvitationMaking, answerInvitationWithdrawal } from '#lib/admin/invitations/invitations'
import { answerPersonAct } from '#lib/admin/people/person-act'
import { personActs } from '#lib/admin/people/store'
import { answerScopeDecision } from '#lib/admin/scopes/decide-scopes'
import { answerOperatorAppState, answerOperatorTeamState } from '#lib/admin/teams/close-and-open'
import { openOperators, twoFactors } from '#lib/testing/admin/operators'
import { recordedAt } from '#lib/testing/admin/recorded-at'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'
import { accessOf } from './access.ts'

/** The version of the app with a scope that waits. */
const waitingSince = '2026-11-20T10:00:00.000Z'
const closed = { state: 'disabled', reason: 'asked' }
/** Every form of the operators’ pages, with fields that it accepts from an operator. */
const forms = [
  ...personActs.map((act) => ({ act, form: 'person', handler: answerPersonAct, fields: { act, reason: 'asked' } })),
  { act: 'close_app', form: 'admin-app', handler: answerOperatorAppState, fields: { app: 'acme-spa', ...closed } },
  { act: 'close_team', form: 'admin-team', handler: answerOperatorTeamState, fields: { team: 'other', ...closed } },
  {
    ...{ act: 'invitation_made', form: 'admin-invitations', handler: answerInvitationMaking },
    fields: { purpose: 'team', days: '14' },
  },
  {
    ...{ act: 'invitation_withdrawn', form: 'admin-invitations', handler: answerInvitationWithdrawal },
    fields: { invitation: 'hash-of-a-code' },
  },
  {
    ...{ act: 'scopes_refused', form: 'admin-scopes', handler: answerScopeDecision },
    fields: { of: 'app', id: 'acme-mail', version: waitingSince, scope: 'gender', decision: 'refuse', reason: 'asked' },
  },
]

it('knows every form of the pages', () => {
  const routes = globSync('app/(admin)/**/route.ts').map((file) => readFileSync(file, 'utf8'))
  const handlers = routes.map((text) => /import \{ (answer\w+) \}/.exec(text)?.[1])
  expect(new Set(handlers)).toEqual(new Set(forms.map(({ handler }) => handler.name)))
})

describe.each(kinds)('the access to the pages of operators on %s', (kind) => {
  const postern = sharePostern({ kind, env: { TEAMS: 'open' } })
  const { newcomer, newOperator } = openOperators(postern)
  const lines = () => postern.context.database.prisma.operatorAct.count()
  const prisma = () => postern.context.database.prisma

  /** Makes what the forms are about: an open invitation, and a scope that waits. */
  beforeEach(async () => {
    const at = new Date(waitingSince)
    const waiting = { waitingScopes: 'gender', waitingSince: at, updatedAt: at }
    await prisma().app.update({ where: { id: 'acme-mail' }, data: waiting })
    const row = { note: '', purpose: 'team', createdAt: at, expiresAt: new Date('2099-01-01') }
    const hash = 'hash-of-a-code'
    await prisma().invitation.upsert({ where: { hash }, create: { hash, ...row }, update: {} })
  })

  const actors = {
    stranger: () => newcomer(),
    'stranger with two factors': () => newcomer(twoFactors),
    'owner of a team': async () => {
      const owner = await newcomer(twoFactors)
      const now = postern.context.now()
      const row = { teamId: 'acme', personId: owner.personId, role: 'owner', createdAt: now }
      await postern.context.database.prisma.member.create({ data: row })
      return owner
    },
    'operator whose account is about to be deleted': async () => {
      const operator = await newOperator()
      const deleteAfter = new Date(postern.context.now().getTime() + 86_400_000)
      await postern.context.database.prisma.person.update({ where: { id: operator.personId }, data: { deleteAfter } })
      return operator
    },
    'operator with a password alone': () => newOperator(['pwd']),
    'operator after a recovery': () => newOperator(['otp']),
  }

  it.each(Object.entries(actors))('lets no %s do anything', async (_, open) => {
    const [account, target] = [await open(), await newcomer()]
    for (const { handler, fields } of forms) {
      const answer = await account.fill(handler, { person: target.personId, ...fields })
      expect([answer.status, answer.headers.get('location')]).toEqual([303, expect.stringMatching(/^\/admin\/\w+/)])
    }
    expect((await target.stored()).disabledAt).toBeNull()
    expect(await target.activity()).toEqual([])
    expect((await prisma().app.findUniqueOrThrow({ where: { id: 'acme-mail' } })).waitingScopes).toBe('gender')
    expect((await prisma().invitation.findMany()).map(({ hash }) => hash)).toEqual(['hash-of-a-code'])
    for (const app of ['acme-spa', 'other-web'])
      expect((await postern.context.teamApps.find(app))?.disabledAt).toBeNull()
  })

  it.each(forms)('lets an operator with two factors do $act', async ({ act, form, handler, fields }) => {
    const [operator, target] = [await newOperator(), await newcomer()]
    const answer = await operator.fill(handler, { person: target.personId, ...fields })
    expect((await operator.flashOf(answer, form))?.done).toBe(act)
  })

  it('asks for a new sign-in when the last one is old, and keeps what was typed', async () => {
    const [operator, target] = [await newOperator(), await newcomer()]
    postern.later(3600)
    const fields = { person: target.personId, act: 'disable', reason: 'spam' }
    const answer = await operator.fill(answerPersonAct, fields)
    expect(answer.headers.get('location')).toContain('fresh=1')
    expect((await operator.flashOf(answer, 'person'))?.kept).toEqual({ act: 'disable', reason: 'spam' })
    expect((await target.stored()).disabledAt).toBeNull()
  })

  it('rejects a form that another site posts, or that lacks the token where a browser sends no origin', async () => {
    const [operator, target] = [await newOperator(), await newcomer()]
    const before = await lines()
    for (const site of ['cross-site', 'same-site', '']) {
      const fields = { person: target.personId, act: 'disable', reason: 'spam' }
      const answer = await operator.fill(answerPersonAct, fields, { 'sec-fetch-site': site })
      expect(answer.headers.get('location')).toContain('/error?e=')
    }
    expect(await lines()).toBe(before)
  })

  it('ends with the role, in the middle of a session', async () => {
    const [operator, other, target] = [await newOperator(), await newOperator(), await newcomer()]
    expect(await postern.context.operators.remove(operator.personId, false, recordedAt(postern.context.now()))).toBe(
      'removed',
    )
    await operator.fill(answerPersonAct, { person: target.personId, act: 'disable', reason: 'spam' })
    expect((await target.stored()).disabledAt).toBeNull()
    expect(await postern.context.operators.isOperator(other.personId)).toBe(true)
  })
})

describe('the setting ADMIN_NETWORKS', () => {
  const postern = sharePostern({ env: { ADMIN_NETWORKS: '10.0.0.0/8,2001:db8::/32' } })
  const { newOperator, newcomer } = openOperators(postern)

  it.each([
    ['10.1.2.3', 'granted'],
    ['::ffff:10.1.2.3', 'granted'],
    ['2001:db8::1', 'granted'],
    ['192.0.2.7', 'none'],
    ['11.0.0.1', 'none'],
    ['', 'none'],
    ['10.1.2.3, 192.0.2.7', 'none'],
  ])('answers from %s: %s', async (address, access) => {
    const operator = await newOperator()
    const current = await currentSession(postern.context, operator.cookie)
    expect(current && (await accessOf(postern.context, current, address))).toBe(access)
  })

  it('rejects an act from another network', async () => {
    const [operator, target] = [await newOperator(), await newcomer()]
    const fields = { person: target.personId, act: 'disable', reason: 'spam' }
    await operator.fill(answerPersonAct, fields)
    expect((await target.stored()).disabledAt).toBeNull()
    await operator.fill(answerPersonAct, fields, { 'x-postern-client': '10.0.0.1' })
    expect((await target.stored()).disabledAt).not.toBeNull()
  })
})
