import { describe, expect, it } from 'vitest'
import { goesThroughPooler, serverUrls } from './server-urls.ts'

describe('serverUrls', () => {
  it.each([
    ['postgresql://u:p%40,@one:5432,two,[::1]:5433/name?sslmode=require', ['one:5432', 'two', '[::1]:5433']],
    ['postgres://one,two/name', ['one', 'two']],
    ['postgresql://u@one/name', ['one']],
  ])('lists the servers of %s', (url, hosts) => {
    expect(serverUrls(url).map((one) => new URL(one).host)).toEqual(hosts)
    for (const one of serverUrls(url)) expect(one.endsWith(url.slice(url.lastIndexOf('/')))).toBe(true)
  })

  it.each(['file:/data/a,b.db', 'smtp://mail.example/?x=a,b', ''])('leaves %j as it is', (url) => {
    expect(serverUrls(url)).toEqual([url])
  })
})

it.each([
  ['postgresql://u:pgbouncer=true@one/name', false],
  ['postgresql://u@one/name?pgbouncer=true', true],
  ['postgresql://u@one,two/name?target_session_attrs=read-write&pgbouncer=true', true],
  ['postgresql://u@one/name?pgbouncer=trueish', false],
])('reads from %s whether it leads through a pooler', (url, expected) => {
  expect(goesThroughPooler(url)).toBe(expected)
})
