import { createPublicKey } from 'node:crypto'
import { dkimSign } from 'mailauth/lib/dkim/sign.js'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { expect, it } from 'vitest'
import { deriveKeys } from '#lib/crypto/derived-keys'
import type { Prisma } from '#lib/db/engine/client'
import { sealedRows } from '#lib/db/keys/sealed-rows'
import { resealAll } from '#lib/keys/reseal'
import { openMailKeys } from '#lib/relay/dkim/mail-keys'
import { promoteMailKeys, rotateMailKeys, tendMailKeys } from '#lib/relay/dkim/rotate-mail-keys'
import { onBothDatabases } from '#lib/testing/databases/databases'
import { makeDns, type Zone } from '#lib/testing/relay/zone'
import { mailKeyStore } from './mail-key-store.ts'

const start = new Date('2026-11-20T10:00:00Z')
const after = (days: number) => new Date(start.getTime() + days * 86_400_000)
const domain = 'relay.example'
const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]

function setUp(prisma: Prisma) {
  const clock = { now: start }
  const store = mailKeyStore(prisma)
  const needs = { store, secrets: deriveKeys(first), now: () => clock.now }
  const states = async () =>
    (await store.listMailKeys()).map(({ generation, algorithm, state }) => `${generation} ${algorithm} ${state}`)
  const records = async () => (await openMailKeys(needs)).records(domain)
  const zone = async (): Promise<Zone> =>
    Object.fromEntries((await records()).map(({ name, value }) => [`TXT ${name}`, [value]]))
  const publication = (published: Zone, evaluation = false) => ({
    domain,
    evaluation,
    resolver: makeDns(published).resolver,
  })
  return { clock, store, needs, states, records, zone, publication }
}

onBothDatabases('DKIM keys', (open) => {
  it('signs with the first pair at once, verifiable by its DNS records', async () => {
    const { needs, states, zone } = setUp((await open()).prisma)
    const signers = await (await openMailKeys(needs)).current()
    expect(signers.map(({ algorithm }) => algorithm)).toEqual(['rsa', 'ed25519'])
    expect(await states()).toEqual(['1 rsa current', '1 ed25519 current'])
    const message = 'From: a@relay.example\r\nSubject: x\r\n\r\nbody\r\n'
    const signatureData = signers.map((signer) => ({
      selector: signer.selector,
      privateKey: String(signer.privateKey.export({ type: 'pkcs8', format: 'pem' })),
      signingDomain: domain,
    }))
    const { signatures, errors } = await dkimSign(message, { signatureData } as never)
    expect(errors).toEqual([])
    const resolver = makeDns(await zone()).resolver as never
    const { results } = await dkimVerify(signatures + message, { resolver, strict: true })
    expect(results.map(({ status, algo }) => [algo, status.result]).sort()).toEqual([
      ['ed25519-sha256', 'pass'],
      ['rsa-sha256', 'pass'],
    ])
  })

  it('makes one generation when eight processes start together', async () => {
    const { needs, states } = setUp((await open()).prisma)
    const all = await Promise.all(Array.from({ length: 8 }, () => openMailKeys(needs)))
    expect(await states()).toEqual(['1 rsa current', '1 ed25519 current'])
    const selectors = await Promise.all(
      all.map(async (keys) => (await keys.current()).map(({ selector }) => selector).join()),
    )
    expect(new Set(selectors).size).toBe(1)
  })

  it('makes one next pair when eight processes rotate at once', async () => {
    const { needs, states } = setUp((await open()).prisma)
    await openMailKeys(needs)
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => rotateMailKeys(needs)))
    expect(outcomes.filter((outcome) => outcome === 'made')).toHaveLength(1)
    expect(await rotateMailKeys(needs)).toBe('one is waiting')
    expect(await states()).toEqual(['1 rsa current', '1 ed25519 current', '2 rsa next', '2 ed25519 next'])
  })

  it('makes the first pair on a rotation without keys', async () => {
    const { needs, states } = setUp((await open()).prisma)
    expect(await rotateMailKeys(needs)).toBe('made')
    expect(await states()).toEqual(['1 rsa current', '1 ed25519 current'])
  })

  it('signs with the next pair only after both its records are published', async () => {
    const { needs, states, zone, publication, clock, records } = setUp((await open()).prisma)
    const keys = await openMailKeys(needs)
    expect(await promoteMailKeys(needs, publication({}))).toEqual({ state: 'nothing waits' })
    await rotateMailKeys(needs)
    const [rsa, ed] = (await records()).filter(({ state }) => state === 'next').map(({ name }) => `TXT ${name}`)
    const right = await zone()
    const try_ = async (changed: Zone) => {
      const outcome = await promoteMailKeys(needs, publication({ ...right, ...changed }))
      return outcome.state === 'waits' ? outcome.records.map(({ published }) => published) : outcome.state
    }
    expect(await try_({ [`${ed}`]: [] })).toEqual(['found', 'missing'])
    expect(await try_({ [`${rsa}`]: 'trouble' })).toEqual(['trouble', 'found'])
    expect(await try_({ [`${rsa}`]: ['v=DKIM1; k=rsa; p=AAAA'] })).toEqual(['different', 'found'])
    expect(await try_({ [`${ed}`]: ['v=DKIM1; p='] })).toEqual(['found', 'different'])
    expect(await try_({ [`${ed}`]: [...(right[`${ed}`] as string[]), 'v=DKIM1; p=AAAA'] })).toEqual([
      'found',
      'different',
    ])
    expect((await states()).slice(2)).toEqual(['2 rsa next', '2 ed25519 next'])
    const [spelled] = right[`${rsa}`] as string[]
    // DNS returns a long record as several strings, possibly with different white space.
    const inStrings = [[spelled?.slice(0, 255) ?? '', spelled?.slice(255).replace(';', ' ; ') ?? '']]
    expect(await try_({ [`${rsa}`]: inStrings })).toBe('promoted')
    expect(await states()).toEqual(['1 rsa retired', '1 ed25519 retired', '2 rsa current', '2 ed25519 current'])
    clock.now = new Date(start.getTime() + 6000)
    expect((await keys.current()).map(({ selector }) => `TXT ${selector}._domainkey.${domain}`)).toEqual([rsa, ed])
  })

  it('promotes once when eight processes find the records; an evaluation needs none', async () => {
    const { needs, states, publication, store } = setUp((await open()).prisma)
    await openMailKeys(needs)
    await rotateMailKeys(needs)
    const won = await Promise.all(Array.from({ length: 8 }, () => store.promote(2, after(1))))
    expect(won.filter(Boolean)).toHaveLength(1)
    await rotateMailKeys(needs)
    expect(await promoteMailKeys(needs, publication({}, true))).toEqual({ state: 'promoted' })
    expect((await states()).filter((state) => state.endsWith('current'))).toEqual([
      '3 rsa current',
      '3 ed25519 current',
    ])
  })

  it('lists a retired pair for fourteen days, then deletes it', async () => {
    const { needs, clock, publication, records, states } = setUp((await open()).prisma)
    await openMailKeys(needs)
    await rotateMailKeys(needs)
    await tendMailKeys(needs, publication({}, true))
    expect((await records()).filter(({ state }) => state === 'retired').map(({ keepUntil }) => keepUntil)).toEqual([
      after(14),
      after(14),
    ])
    clock.now = after(13.9)
    await tendMailKeys(needs, publication({}))
    expect(await states()).toHaveLength(4)
    clock.now = after(14)
    await tendMailKeys(needs, publication({}))
    expect(await states()).toEqual(['2 rsa current', '2 ed25519 current'])
  })

  it('opens with the current and the previous master key, reseals, and rejects any other key', async () => {
    const { prisma } = await open()
    const { needs, store, clock } = setUp(prisma)
    const old = await openMailKeys(needs)
    const before = await old.current()
    const both = { ...needs, secrets: deriveKeys(second, first) }
    const alone = { ...needs, secrets: deriveKeys(second) }
    expect(await (await openMailKeys(both)).current()).toEqual(before)
    await expect(openMailKeys(alone)).rejects.toThrow('SECRET_KEY does not open the stored keys for mail')
    await resealAll(both.secrets, sealedRows(prisma))
    const sealed = (await store.listMailKeys()).map(({ sealedPrivate }) => sealedPrivate)
    expect(await (await openMailKeys(alone)).current()).toEqual(before)
    // A process that has only the old master key continues with the keys that it has already opened.
    clock.now = after(1)
    expect(await old.current()).toEqual(before)
    await resealAll(both.secrets, sealedRows(prisma))
    expect((await store.listMailKeys()).map(({ sealedPrivate }) => sealedPrivate)).toEqual(sealed)
  })

  it('stores private keys sealed only', async () => {
    const database = await open()
    const { needs } = setUp(database.prisma)
    for (const { privateKey, selector } of await (await openMailKeys(needs)).current()) {
      const row = await database.prisma.mailKey.findUniqueOrThrow({ where: { selector } })
      expect(row.sealedPrivate.split('.')).toHaveLength(5)
      const published = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).toString('base64')
      expect(published.endsWith(row.publicKey)).toBe(true)
    }
  })
})
