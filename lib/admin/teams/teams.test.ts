import { describe, expect, it } from 'vitest'
import { answerAppDeletion, answerAppKeep, answerAppState } from '#lib/console/app/app-state'
import { answerSecretAddition } from '#lib/console/app/credentials'
import { answerInvite } from '#lib/console/team/invitations'
import { answerAppOffer } from '#lib/console/transfer/offer-app'
import { openOperators } from '#lib/testing/admin/operators'
import { openApi } from '#lib/testing/console/api'
import { openApps } from '#lib/testing/console/apps'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'
import { answerOperatorAppState } from './close-and-open.ts'
import { listActs } from './list-acts.ts'
import { searchTeams } from './search-teams.ts'

const uris = 'https://acme.example/cb3'

describe.each(kinds)('teams and apps for operators on %s', (kind) => {
  const postern = sharePostern({ kind, env: { TEAMS: 'open' } })
  const { newOperator, newcomer } = openOperators(postern)
  const { member, send, register, change } = openApps(postern)
  const { makeToken, send: call } = openApi(postern)
  type Account = Awaited<ReturnType<typeof newOperator>>

  const set = async (account: Account, state: string, reason = 'spam', app = 'acme-web') => {
    const answer = await account.fill(answerOperatorAppState, { app, state, reason })
    const flash = await account.flashOf(answer, 'admin-app')
    return flash?.done ?? flash?.problems.map(({ field = '', code }) => `${field} ${code}`.trim()).join(' ')
  }
  const found = async () => (await postern.context.teamApps.find('acme-web')) as { disabledBy: string | null }
  const lines = async () => {
    const all = await postern.context.operatorRecord.list({}, undefined, 100)
    return all.filter(({ target }) => target === 'acme-web').map((line) => line.kind)
  }

  it('closes an app, which its team then cannot open, and opens it again', async () => {
    const operator = await newOperator()
    expect(await set(operator, 'disabled')).toBe('close_app')
    expect(await found()).toMatchObject({ disabledBy: 'operator' })
    const developer = await member()
    const opened = await send(developer, answerAppState, { app: 'acme-web', state: 'enabled' }, 'app')
    expect(opened.result).toBe('app_closed_by_operator')
    const [act] = await postern.context.acts.list('acme', undefined, 1)
    expect(act).toMatchObject({ kind: 'app_disabled', actor: '', target: 'acme-web', after: { reason: 'spam' } })
    postern.later(1)
    expect(await set(operator, 'enabled', 'mended')).toBe('open_app')
    expect(await found()).toMatchObject({ disabledBy: null })
    expect(await lines()).toEqual(['app_opened', 'app_closed'])
  })

  it('shows the activity of a team without the addresses of invited people', async () => {
    const owner = await member('owner')
    await send(owner, answerInvite, { address: 'Grace.Hopper@example.org', role: 'viewer' }, 'invite')
    postern.later(1)
    await send(owner, answerInvite, { address: '', role: 'viewer' }, 'invite')
    const acts = await listActs(postern.context, 'acme', 2)
    expect(acts.map(({ kind: act, target }) => [act, target])).toEqual([
      ['member_invited', ''],
      ['member_invited', '…@example.org'],
    ])
  })

  it('takes over an app that its team has closed', async () => {
    const [operator, developer] = [await newOperator(), await member()]
    await send(developer, answerAppState, { app: 'acme-web', state: 'disabled' }, 'app')
    expect(await set(operator, 'disabled')).toBe('close_app')
    expect(await found()).toMatchObject({ disabledBy: 'operator' })
    await set(operator, 'enabled')
  })

  it('closes an app that no edit of its team opens', async () => {
    const [operator, owner] = [await newOperator(), await member('owner')]
    const token = await makeToken(owner, 'acme', ['read', 'apps', 'credentials'])
    const { id, flash } = await register(owner)
    expect(flash?.done).toBe('registered')
    await set(operator, 'disabled', 'spam', id)
    const state = async () => {
      const app = await postern.context.teamApps.find(id)
      return { disabledBy: app?.disabledBy, isClosed: app?.disabledAt !== null }
    }
    const edits: [string, () => Promise<unknown>][] = [
      ['settings', () => change(owner, id, { shown: ['name', 'redirect_uris'], name: 'X', redirect_uris: uris })],
      ['secret', () => send(owner, answerSecretAddition, { app: id }, 'credentials')],
      ['opening', () => send(owner, answerAppState, { app: id, state: 'enabled' }, 'app')],
      ['closing', () => send(owner, answerAppState, { app: id, state: 'disabled' }, 'app')],
      ['opening again', () => send(owner, answerAppState, { app: id, state: 'enabled' }, 'app')],
      ['deletion', () => send(owner, answerAppDeletion, { app: id, confirm: 'X' }, 'app')],
      ['keeping', () => send(owner, answerAppKeep, { app: id }, 'app')],
      ['API', () => call(token, 'POST', `/apps/${id}/enable`)],
      ['API change', () => call(token, 'PATCH', `/apps/${id}`, { body: { name: 'Y' }, headers: { 'if-match': '*' } })],
      ['offer', () => send(owner, answerAppOffer, { app: id, to: 'other' }, 'transfer')],
    ]
    for (const [name, edit] of edits) {
      await edit()
      expect([name, await state()]).toEqual([name, { disabledBy: 'operator', isClosed: true }])
    }
    expect((await postern.context.teamApps.find(id))?.name).toBe('Y')
  })

  it('keeps an app closed that is being deleted, until its team keeps it', async () => {
    const [operator, owner] = [await newOperator(), await member('owner')]
    const { id } = await register(owner)
    await set(operator, 'disabled', 'spam', id)
    await send(owner, answerAppDeletion, { app: id, confirm: 'New App' }, 'app')
    expect(await set(operator, 'enabled', 'mended', id)).toBe('open_app')
    const state = async () => (await postern.context.teamApps.find(id))?.disabledBy
    expect(await state()).toBe('deletion')
    await send(owner, answerAppKeep, { app: id }, 'app')
    expect(await state()).toBe(null)
  })

  it('writes one line for eight equal forms at once', async () => {
    const operator = await newOperator()
    const before = (await lines()).length
    await Promise.all(Array.from({ length: 8 }, () => set(operator, 'disabled')))
    expect(await lines()).toHaveLength(before + 1)
    await set(operator, 'enabled')
  })

  it('changes nothing without a reason, for unknown apps, and for a person who is no operator', async () => {
    const [operator, stranger, owner] = [await newOperator(), await newcomer(['pwd', 'mfa']), await member('owner')]
    expect(await set(operator, 'disabled', ' ')).toBe('reason reason_missing')
    for (const app of ['', 'nothing', '../teams', 'x'.repeat(50_000), "' OR 1=1", '__proto__'])
      expect(await set(operator, 'disabled', 'spam', app)).toBe('')
    for (const account of [stranger, { username: 'ada', ...owner }]) expect(await set(account, 'disabled')).toBe('')
    const forged = { app: 'acme-web', state: 'disabled', reason: 'spam' }
    await operator.fill(answerOperatorAppState, forged, { 'sec-fetch-site': 'cross-site' })
    expect(await found()).toMatchObject({ disabledBy: null })
  })

  it('finds teams by name and id, and apps by the beginning of client_id', async () => {
    const names = async (text: string) => {
      const { teams, apps } = await searchTeams(postern.context, text)
      return [...teams, ...apps].map(({ id }) => id)
    }
    expect(await names('ACM')).toContain('acme')
    expect(await names('acme-')).toEqual(expect.arrayContaining(['acme-mail', 'acme-spa', 'acme-web']))
    expect(await names('')).toEqual(expect.arrayContaining(['acme', 'other']))
    for (const text of ['%', '_cme', "' OR 1=1", 'x'.repeat(100_000), '\ud800', 'acme-web\0'])
      expect((await names(text)).filter((id) => id !== 'acme-web' && id !== 'acme' && id !== 'other')).toEqual([])
  })
})
