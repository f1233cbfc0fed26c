import { describe, expect, it } from 'vitest'
import type { Activity, ActivityKind } from './activity.ts'
import { matchActivity, readActivityQuery } from './filter-activity.ts'

const start = Date.parse('2026-11-20T10:00:00Z')
const event = (kind: ActivityKind, app = '', minute = 0): Activity => ({
  at: new Date(start + minute * 60_000),
  kind,
  detail: app ? { app } : {},
  address: '192.0.2.7',
  device: 'Test/1.0',
})

describe('the filter of the activity page', () => {
  it('reads absent, unknown, repeated, broken and huge parameters', () => {
    expect(readActivityQuery({})).toEqual({ about: undefined, app: '', search: '' })
    expect(readActivityQuery({ about: 'constructor' }).about).toBeUndefined()
    expect(readActivityQuery({ about: ['apps', 'mail'] }).about).toBe('apps')
    expect(readActivityQuery({ q: '\ud800', app: 'x'.repeat(5000) })).toMatchObject({ search: '\ufffd' })
    expect(readActivityQuery({ app: 'x'.repeat(5000) }).app).toHaveLength(100)
  })

  it.each([
    [{ app: 'Acme Web' }, ['consent_given']],
    [{ app: 'acme' }, []],
    [{ q: 'ＡＣＭＥ' }, ['consent_given']],
    [{ q: '%' }, []],
    [{ q: '192.0.2' }, ['consent_given', 'signed_in']],
    [{ app: 'Acme Web', q: 'nothing' }, []],
  ])('selects for %j', (query, kinds) => {
    const matches = matchActivity(readActivityQuery(query), ({ detail, address }) => [detail.app, address])
    const events = [event('consent_given', 'Acme Web'), event('signed_in')]
    expect(events.filter(matches).map(({ kind }) => kind)).toEqual(kinds)
  })
})
