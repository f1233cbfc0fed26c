import { describe, expect, it } from 'vitest'
import { flowProvision } from '#lib/testing/browser/flow'
import { kinds } from '#lib/testing/databases/databases'
import { asking } from '#lib/testing/oauth/authorize'
import { asBrowser } from '#lib/testing/oauth/get-tokens'
import { basicAuth, secret } from '#lib/testing/process/postern'
import { sharePostern } from '#lib/testing/process/share-postern'

const { client_id: _, ...parameters } = asking

describe.each(kinds)('200 pushes at once on %s', (kind) => {
  const postern = sharePostern({ kind, provision: flowProvision })
  const rows = () => postern.context.database.prisma.pushedRequest.count()

  /** Pushes 200 times at once, and returns the number of answers by status. */
  async function burst(form: Record<string, string>, headersOf: (index: number) => Record<string, string>) {
    const pushes = Array.from({ length: 200 }, (_, index) => postern.push({ ...parameters, ...form }, headersOf(index)))
    const statuses = (await Promise.all(pushes)).map(({ status }) => status)
    return Object.fromEntries(
      [...new Set(statuses)].sort().map((one) => [one, statuses.filter((s) => s === one).length]),
    )
  }
  const from = (address: string) => ({ 'x-postern-client': address })

  it('by an app without authentication store 300 rows from one address, however they race (RFC 9126 §2.3)', async () => {
    expect(await burst(asBrowser, () => from('192.0.2.1'))).toEqual({ 201: 200 })
    expect(await burst(asBrowser, () => from('192.0.2.1'))).toEqual({ 201: 100, 429: 100 })
    expect(await rows()).toBe(300)
  })

  it('count for one customer, whatever address of its network they come from', async () => {
    const before = await rows()
    const own = (index: number) => from(`2001:db8::${(index + 1).toString(16)}`)
    expect(await burst(asBrowser, own)).toEqual({ 201: 200 })
    expect(await burst(asBrowser, own)).toEqual({ 201: 100, 429: 100 })
    expect((await rows()) - before).toBe(300)
  })

  it('from one address leave the app usable from another address, and other apps from this one', async () => {
    const other = await postern.push({ ...parameters, ...asBrowser }, from('198.51.100.1'))
    const own = await postern.push(parameters, { ...basicAuth('acme-web', secret), ...from('192.0.2.1') })
    expect([other.status, own.status]).toEqual([201, 201])
  })

  it('by an app that authenticates are all stored, each under its own request_uri', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => postern.push(parameters)))
    const uris = await Promise.all(answers.map(async (answer) => (await answer.json()).request_uri))
    expect(new Set(uris).size).toBe(200)
  })

  it('with a wrong secret or a refused request store nothing', async () => {
    const before = await rows()
    expect(await burst({}, () => ({ ...basicAuth('acme-web', 'wrong'), ...from('192.0.2.66') }))).not.toHaveProperty(
      '201',
    )
    expect(await burst({ ...asBrowser, redirect_uri: 'https://evil.example/' }, () => from('192.0.2.67'))).toEqual({
      400: 200,
    })
    expect(await rows()).toBe(before)
  })
})
