import { describe, expect, it } from 'vitest'
import { sha256 } from '#lib/crypto/hash'
import { failBefore } from '#lib/testing/browser/attempts'
import { kinds } from '#lib/testing/databases/databases'
import { asBrowser, asMail, getTokens } from '#lib/testing/oauth/get-tokens'
import { refusal } from '#lib/testing/oauth/tokens'
import { acme, basic, basicAuth, openPostern } from '#lib/testing/process/postern'
import { sharePostern } from '#lib/testing/process/share-postern'

const postern = sharePostern({ provision: { teams: acme.teams } })

type Headers = Record<string, string>

const wrong = basicAuth('acme-web', 'wrong')
const from = (address: string) => ({ 'x-postern-client': address })
const ask = (headers: Headers) => postern.revoke({ token: 'x' }, headers)

describe('sixty failures a minute', () => {
  const failTimes = async (count: number, address: string) => {
    for (let left = count; left > 0; left--) {
      expect(await refusal(ask({ ...wrong, ...from(address) }))).toBe('401 invalid_client')
    }
  }

  it('from one address end in 429: OAuth JSON with the seconds to wait', async () => {
    await failTimes(60, 'attacker')
    for (const headers of [wrong, wrong, basic]) {
      const answer = await ask({ ...headers, ...from('attacker') })
      expect(answer.status).toBe(429)
      const wait = Number(answer.headers.get('retry-after'))
      expect(Number.isInteger(wait) && wait >= 1 && wait <= 60).toBe(true)
      expect(answer.headers.get('content-type')).toBe('application/json')
      expect(await answer.json()).toMatchObject({ error: 'temporarily_unavailable' })
    }
  })

  it('block neither right credentials from other addresses nor other apps from this one', async () => {
    await failTimes(60, 'stranger')
    expect((await ask({ ...wrong, ...from('stranger') })).status).toBe(429)
    expect((await ask({ ...basic, ...from('owner') })).status).toBe(200)
    expect((await ask({ ...asMail, ...from('stranger') })).status).toBe(200)
  })

  it('count for a /56 too, with ten times the limit, and delay only further failures', async () => {
    const network = `client-address:2001:db8:5:700::/56 ${sha256('acme-web')}`
    await failBefore(postern.context, network, 599)
    const statuses: number[] = []
    for (const last of ['10', '11', '12'])
      statuses.push((await ask({ ...wrong, ...from(`2001:db8:5:7${last}::1`) })).status)
    expect(statuses).toEqual([401, 429, 429])
    expect((await ask({ ...basic, ...from('2001:db8:5:712::1') })).status).toBe(200)
    expect((await ask({ ...wrong, ...from('2001:db8:5:812::1') })).status).toBe(401)
  })

  it('do not count successes, which write nothing', async () => {
    const rows = () => postern.context.database.prisma.attempt.findMany({ orderBy: { key: 'asc' } })
    const before = await rows()
    for (let left = 70; left > 0; left--) expect((await ask({ ...basic, ...from('busy') })).status).toBe(200)
    expect(await rows()).toEqual(before)
  })
})

describe.each(kinds)('failures without an app that has credentials, on %s', (kind) => {
  const own = sharePostern({ kind, provision: acme })

  const probes = [basicAuth('acme-spa', 'x'), basicAuth('nobody', 'x'), basicAuth('somebody else', 'x')]
  const statuses = async (address: string, count: number) => {
    const sent = Array.from({ length: count }, (_, n) => probes[n % probes.length] as Headers)
    const answers = await Promise.all(
      sent.map((headers) => own.revoke({ token: 'x' }, { ...headers, ...from(address) })),
    )
    const seen = answers.map(({ status }) => status)
    return { 401: seen.filter((status) => status === 401).length, 429: seen.filter((status) => status === 429).length }
  }
  const signIn = (address: string) => getTokens(own, { clientId: 'acme-spa' }, from(address) as never, asBrowser)

  it('count for their address: of 200 concurrent ones sixty are answered', async () => {
    expect(await statuses('prober', 200)).toEqual({ 401: 60, 429: 140 })
    expect(await statuses('prober', 8)).toEqual({ 401: 0, 429: 8 })
    expect(await statuses('elsewhere', 8)).toEqual({ 401: 8, 429: 0 })
  })

  it('block no public app, not even at the same address', async () => {
    await statuses('office', 200)
    expect(await signIn('office')).toMatchObject({ token_type: 'Bearer' })
    expect((await own.revoke({ token: 'x', client_id: 'acme-spa' }, from('office'))).status).toBe(200)
    expect((await own.revoke({ token: 'x' }, { ...basic, ...from('office') })).status).toBe(200)
  })

  it('do not block the app after failures from many addresses', async () => {
    for (let hundred = 0; hundred < 7; hundred++)
      await Promise.all(Array.from({ length: 100 }, (_, n) => statuses(`crowd-${hundred}-${n}`, 1)))
    expect(await statuses('newcomer', 8)).toEqual({ 401: 8, 429: 0 })
    expect(await signIn('newcomer')).toMatchObject({ token_type: 'Bearer' })
  })
})

it('delays failures after six hundred from many addresses, but never right credentials', async () => {
  const own = await openPostern({ provision: { teams: acme.teams } })
  try {
    const send = (headers: Headers, address: number) =>
      own.revoke({ token: 'x' }, { ...headers, ...from(`address-${address}`) })
    for (let hundred = 0; hundred < 6; hundred++) {
      const answers = await Promise.all(Array.from({ length: 100 }, (_, n) => send(wrong, hundred * 100 + n)))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
    }
    expect((await send(wrong, 1000)).status).toBe(429)
    expect((await send(basic, 1000)).status).toBe(200)
    expect((await send(basic, 1)).status).toBe(200)
  } finally {
    await own.close()
  }
})
