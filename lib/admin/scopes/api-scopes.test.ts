import { describe, expect, it } from 'vitest'
import { answerApiChange, answerApiRegistration } from '#lib/console/team-apis/api-forms'
import { openOperators } from '#lib/testing/admin/operators'
import { openApi } from '#lib/testing/console/api'
import { openTransfers } from '#lib/testing/console/transfers'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'
import { answerScopeDecision } from './decide-scopes.ts'

const orders = { name: 'Orders', scopes: 'read\nwrite', sensitive_scopes: 'write', signing_alg: 'ES256' }

describe.each(kinds)('the review of the scopes of APIs on %s', (kind) => {
  const postern = sharePostern({ kind, env: { TEAMS: 'open', SENSITIVE_SCOPES: 'review' } })
  const { member } = openTransfers(postern)
  const { newOperator } = openOperators(postern)
  const found = async (team: string, identifier: string) => {
    const api = await postern.context.teamApis.find(team, identifier)
    if (!api) throw new Error(`There is no API ${identifier}.`)
    return api
  }
  /** Registers an API with a sensitive scope. */
  const register = async (team: string, changes = {}) => {
    const [owner, identifier] = [await member(team), `https://${team}.example/`]
    await owner.fill(answerApiRegistration, { team, identifier, ...orders, ...changes })
    const change = async (fields: Record<string, string>) => {
      const { version } = await found(team, identifier)
      return owner.fill(answerApiChange, { team, identifier, version, ...orders, ...fields })
    }
    return { owner, identifier, change }
  }
  const offered = async (team: string) =>
    (await postern.context.oauth.store.findApis(team)).flatMap(({ scopes }) => scopes)

  it('offers a sensitive scope to apps after the approval', async () => {
    const { identifier } = await register('s1')
    expect(await offered('s1')).toEqual(['read'])
    const { version, waitingScopes } = await found('s1', identifier)
    expect(waitingScopes).toEqual(['write'])
    const operator = await newOperator()
    const fields = { of: 'api', id: identifier, version, scope: 'write', decision: 'approve' }
    await operator.fill(answerScopeDecision, fields)
    expect(await offered('s1')).toEqual(['read', 'write'])
    const [act] = await postern.context.acts.list('s1', undefined, 1)
    expect(act).toMatchObject({ kind: 'scopes_approved', target: identifier, targetName: 'Orders' })
  })

  it('lets a scope wait although its mark is removed, and keeps allowed ones although they are marked', async () => {
    const { identifier, change } = await register('s2')
    postern.later(1)
    await change({ sensitive_scopes: '' })
    expect(await found('s2', identifier)).toMatchObject({ scopes: ['read'], waitingScopes: ['write'] })
    postern.later(1)
    await change({ sensitive_scopes: 'read' })
    expect(await found('s2', identifier)).toMatchObject({ scopes: ['read'], sensitiveScopes: ['read'] })
    postern.later(1)
    await change({ scopes: 'read', sensitive_scopes: '' })
    expect(await postern.context.scopeQueue.list(100)).not.toContainEqual(expect.objectContaining({ id: identifier }))
  })

  it('offers no scope of an API whose only scope waits, and gives its name to no other API', async () => {
    const { owner } = await register('s3', { scopes: 'write' })
    expect(await postern.context.oauth.store.findApis('s3')).toMatchObject([{ scopes: [] }])
    const other = {
      team: 's3',
      identifier: 'https://other.s3.example/',
      ...orders,
      scopes: 'write',
      sensitive_scopes: '',
    }
    const answer = await owner.fill(answerApiRegistration, other)
    expect((await owner.flashOf(answer, 'new-api'))?.problems).toMatchObject([{ field: 'scopes', code: 'rule' }])
  })

  it('refuses a mark on a scope that the API does not have', async () => {
    const owner = await member('s4')
    const fields = { team: 's4', identifier: 'https://s4.example/', ...orders, sensitive_scopes: 'admin' }
    const answer = await owner.fill(answerApiRegistration, fields)
    expect((await owner.flashOf(answer, 'new-api'))?.problems).toMatchObject([{ field: 'sensitive_scopes' }])
  })

  it('shows the waiting scopes in the JSON API, and keeps the marks that are given', async () => {
    const { owner, identifier } = await register('s5')
    const { makeToken, send } = openApi(postern)
    const token = await makeToken(owner, 's5', ['read', 'apps'])
    const path = `/apis/${encodeURIComponent(identifier)}`
    const { json } = await send(token, 'GET', path)
    expect(json).toMatchObject({ scopes: ['read', 'write'], waiting_scopes: ['write'], sensitive_scopes: ['write'] })
    const body = {
      name: 'Orders',
      scopes: ['read', 'write'],
      sensitive_scopes: ['read', 'write'],
      signing_alg: 'ES256',
    }
    const answer = await send(token, 'PUT', path, { body, headers: { 'if-match': String(json.etag) } })
    expect(answer.json).toMatchObject({ waiting_scopes: ['write'], sensitive_scopes: ['read', 'write'] })
  })
})
