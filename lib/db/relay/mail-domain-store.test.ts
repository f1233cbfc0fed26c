import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { removeMailDomain } from '#lib/db/domains/app-mail-domains'
import type { Database, Prisma } from '#lib/db/engine/client'
import { checkMailDomain, makeProof, proofRecord, recheckMailDomains } from '#lib/relay/sender-domains/mail-domain'
import { reportMail } from '#lib/relay/sender-domains/mail-report'
import { onBothDatabases } from '#lib/testing/databases/databases'
import { apply, fileOf, web } from '#lib/testing/databases/provision'
import { makeDns, type Zone } from '#lib/testing/relay/zone'
import { appMailStore } from './app-mail-store.ts'
import { mailDomainStore } from './mail-domain-store.ts'

const start = new Date('2026-11-20T10:00:00Z')
const hours = (count: number) => new Date(start.getTime() + count * 3_600_000)
const days = (count: number) => hours(24 * count)
const app = 'acme-web'

async function setUp(database: Database) {
  await apply(
    database,
    fileOf([
      { ...web, mail_domains: ['acme.example', 'mail.acme.example'] },
      { ...web, client_id: 'other' },
    ]),
  )
  const store = mailDomainStore(database.prisma)
  const [first, second] = await store.listDomains(app)
  if (!first || !second) throw new Error('The domains were not made.')
  const check = (zone: Zone, now: Date) => checkMailDomain(first, { store, resolver: makeDns(zone).resolver, now })
  const state = async () => (await store.listDomains(app))[0]
  const { name, value } = proofRecord(first)
  return { store, first, second, check, state, shown: { [`TXT ${name}`]: [value] } as Zone, name: `TXT ${name}` }
}

/** Adds relay addresses and refusals as the relay writes them. */
async function seedMail(prisma: Prisma) {
  const alias = (address: string, counts: object, appId = app) => ({ address, appId, createdAt: start, ...counts })
  await prisma.alias.createMany({
    data: [
      alias('aaaaaaaaaaaa', { forwarded: 3, blocked: 1, lastMailAt: days(1) }),
      alias('bbbbbbbbbbbb', { forwarded: 2, replied: 4, lastMailAt: days(2) }),
      alias('cccccccccccc', { forwarded: 50 }, 'other'),
    ],
  })
  const failure = (id: string, lastAt: Date, endpoint = 'relay', appId = app) => {
    const refusal = { code: '550 5.7.26', reason: 'dmarc_failed', detail: '{"from":"acme.example"}' }
    return { id, appId, endpoint, ...refusal, count: 2, firstAt: start, lastAt }
  }
  const others = [failure('token', days(3), 'token'), failure('theirs', days(3), 'relay', 'other')]
  await prisma.failure.createMany({ data: [failure('old', days(1)), failure('new', days(2)), ...others] })
}

onBothDatabases('mail domains', (open) => {
  it('verifies a domain by the proof of its own app only', async () => {
    const { store, check, state, shown, name, second } = await setUp(await open())
    expect(await check({}, start)).toBe('missing')
    expect(await check({ [name]: [`postern-domain=${second.proof}`] }, start)).toBe('missing')
    expect(await store.verifiedDomains(app)).toEqual([])
    expect(await check({ [name]: ['something else', ...(shown[name] as string[])] }, hours(1))).toBe('found')
    expect(await store.verifiedDomains(app)).toEqual(['acme.example'])
    expect(await state()).toMatchObject({ checkedAt: hours(1), verifiedAt: hours(1) })
    expect(await store.verifiedDomains('other')).toEqual([])
  })

  it('joins the strings of a record', async () => {
    const { check, first, name } = await setUp(await open())
    expect(await check({ [name]: [['postern-', `domain=${first.proof}`]] }, start)).toBe('found')
  })

  it('unverifies a domain after seven days without its proof, unless the proof returns', async () => {
    const { store, check, shown } = await setUp(await open())
    await check(shown, start)
    await check({}, days(6))
    expect(await store.verifiedDomains(app)).toEqual(['acme.example'])
    await check(shown, days(6.5))
    await check({}, days(8))
    expect(await store.verifiedDomains(app)).toEqual(['acme.example'])
    await check({}, days(13.5))
    expect(await store.verifiedDomains(app)).toEqual([])
    await check(shown, days(14))
    expect(await store.verifiedDomains(app)).toEqual(['acme.example'])
  })

  it('keeps a domain verified while DNS fails', async () => {
    const { store, check, shown, name } = await setUp(await open())
    await check(shown, start)
    expect(await check({ [name]: 'trouble' }, days(60))).toBe('trouble')
    expect(await store.verifiedDomains(app)).toEqual(['acme.example'])
  })

  it('keeps a domain verified when a lost and a found proof are recorded at once', async () => {
    const { store, check, shown } = await setUp(await open())
    await check(shown, start)
    await Promise.all(Array.from({ length: 8 }, (_, n) => check(n % 2 ? {} : shown, days(8))))
    expect(await store.verifiedDomains(app)).toEqual(['acme.example'])
  })

  it('checks each domain once, the longest unchecked first', async () => {
    const { store, check, shown } = await setUp(await open())
    await check(shown, start)
    const dns = makeDns(shown)
    await recheckMailDomains({ store, resolver: dns.resolver, now: hours(0.25) })
    expect(dns.asked).toEqual(['TXT _postern.mail.acme.example'])
    await recheckMailDomains({ store, resolver: dns.resolver, now: hours(2) })
    expect(dns.asked.slice(1)).toEqual(['TXT _postern.acme.example', 'TXT _postern.mail.acme.example'])
    expect((await store.listDue(hours(3), 1)).length).toBe(1)
  })

  it('removes a domain from its app only, and ignores later results', async () => {
    const database = await open()
    const { store, check, shown } = await setUp(database)
    const about = { id: 'removal', at: start, actor: '', kind: 'mail_domain_removed', before: {}, after: {} } as const
    const remove = (id: string) =>
      removeMailDomain(database.prisma, { id, teamId: 'acme' }, 'acme.example', { ...about, target: id })
    expect(await remove('other')).toBe(false)
    expect(await remove(app)).toBe(true)
    expect(await check(shown, start)).toBe('found')
    expect((await store.listDomains(app)).map(({ domain }) => domain)).toEqual(['mail.acme.example'])
  })

  it('reports sums of all addresses and the refusals of an app, but no address', async () => {
    const database = await open()
    const { store, shown } = await setUp(database)
    await seedMail(database.prisma)
    const needs = { store, mail: appMailStore(database.prisma), resolver: makeDns(shown).resolver, now: days(3) }
    const report = await reportMail(app, needs)
    expect(report).toMatchObject({
      accepts: 'registered',
      domains: [
        { domain: 'acme.example', verified: true, proof: 'found' },
        { domain: 'mail.acme.example', verified: false, proof: 'missing' },
      ],
      deliveries: { forwarded: 5, blocked: 1, replied: 4, lastMailOn: '2026-11-22' },
      refusals: [
        { reason: 'dmarc_failed', count: 2, lastAt: days(2), detail: { from: 'acme.example' } },
        { reason: 'dmarc_failed', count: 2, lastAt: days(1) },
      ],
    })
    expect(report.refusals).toHaveLength(2)
    expect(JSON.stringify(report)).not.toMatch(/aaaaaaaaaaaa|bbbbbbbbbbbb/)
    expect(await reportMail('other', needs)).toMatchObject({
      accepts: 'open',
      domains: [],
      deliveries: { forwarded: 50 },
    })
    const gone = await reportMail(app, { ...needs, resolver: makeDns({}).resolver })
    expect(gone.domains[0]).toMatchObject({ verified: true, proof: 'missing', losesProofAt: days(10) })
  })
})

it('makes proofs that are random and fit into one DNS string', () => {
  expect(makeProof(randomBytes)).toMatch(/^[A-Za-z0-9_-]{24}$/)
  expect(makeProof(randomBytes)).not.toBe(makeProof(randomBytes))
})
