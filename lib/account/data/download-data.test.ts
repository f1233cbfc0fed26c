import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { answerPictureUpload } from '#lib/account/profile/change-picture'
import { openAccount } from '#lib/testing/browser/account'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'
import { answerDownload } from './download-data.ts'

describe.each(kinds)('the download on %s', (kind) => {
  const postern = sharePostern({ kind })

  async function setUp() {
    const ada = await openAccount(postern)
    const { prisma } = postern.context.database
    const now = postern.clock.now
    await postern.approve({ scopes: ['openid', 'name'] })
    const secret = { publicKey: new Uint8Array([1, 2, 3]), counter: 7, transports: 'internal', backedUp: true }
    const passkey = { ...secret, personId: ada.personId, name: 'Phone', createdAt: now }
    await prisma.passkey.upsert({ where: { id: 'a-passkey' }, create: { id: 'a-passkey', ...passkey }, update: {} })
    return { ada, prisma }
  }

  it('contains everything about the person', async () => {
    const { ada, prisma } = await setUp()
    const passwordSetAt = new Date('2026-01-02T03:04:05Z')
    await prisma.person.update({
      where: { username: 'ada' },
      data: { passwordSetAt, pageLanguage: 'ja', pageTheme: 'dark' },
    })
    const form = new FormData()
    const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    form.set('picture', new File([new Uint8Array(bytes)], 'me.png'))
    await ada.post(answerPictureUpload, form)
    const { now } = postern.clock
    await prisma.member.create({ data: { teamId: 'acme', personId: ada.personId, role: 'viewer', createdAt: now } })
    const answer = await ada.fill(answerDownload)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="ada-\d{4}-\d\d-\d\d\.json"$/)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const data = await answer.json()
    expect(data).toMatchObject({
      service: 'Postern',
      account: {
        username: 'ada',
        email: 'ada@example.org',
        hasPassword: true,
        passwordSetAt: '2026-01-02T03:04:05.000Z',
        deleteAfter: null,
        pageLanguage: 'ja',
        pageTheme: 'dark',
      },
      profile: { name: 'Ada L.', locale: 'ja' },
      identifiers: [{ team: 'Acme' }],
      teams: [{ team: 'Acme', role: 'viewer', since: now.toISOString() }],
      operatorSince: null,
      factorReset: null,
      passkeys: [{ name: 'Phone' }],
    })
    expect(data.apps).toMatchObject([{ app: 'Acme Web', team: 'Acme', sees: ['openid', 'name'] }])
    expect(data.sessions[0]).toMatchObject({ address: '192.0.2.7', device: 'Test/1.0' })
    expect(data.activity.map((line: { kind: string }) => line.kind)).toContain('data_downloaded')
    const picture = Buffer.from(data.picture.replace('data:image/webp;base64,', ''), 'base64')
    expect(await sharp(picture).metadata()).toMatchObject({ format: 'webp', width: 512 })
  })

  it('contains the counts of relay addresses, their senders and the former addresses', async () => {
    const { ada, prisma } = await setUp()
    const [createdAt, { personId }] = [postern.clock.now, ada]
    const traffic = { forwarded: 12, blocked: 3, replied: 2, lastMailAt: createdAt }
    await prisma.alias.create({
      data: { address: 'k7mqp', personId, appId: 'acme-web', label: 'Shop', note: 'Mine', createdAt, ...traffic },
    })
    const reverse = { token: 'r-token', aliasName: 'k7mqp', target: 'news@acme.example' }
    await prisma.reverseAddress.create({ data: { ...reverse, createdAt, lastUsedAt: createdAt } })
    await prisma.formerEmail.create({ data: { personId, address: 'old@example.org', until: createdAt } })
    const change = {
      oldAddress: 'old@example.org',
      newAddress: 'ada@example.org',
      changedAt: createdAt,
      undoneAt: null,
    }
    const secrets = { sessionId: 'id-of-session', undoHash: 'hash-of-link' }
    await prisma.emailChange.create({ data: { id: 'change', personId, ...change, ...secrets, expiresAt: createdAt } })
    await prisma.returnedMail.create({ data: { id: 'returned', personId, at: createdAt } })
    const { sub } = await prisma.subject.findFirstOrThrow({ where: { personId } })
    const event = { id: 'jti', appId: 'acme-web', type: 'session-revoked', sub, claims: '{}', state: 'delivered' }
    const times = { nextAt: createdAt, until: createdAt, createdAt }
    await prisma.securityEvent.create({ data: { ...event, version: 2, attempts: 1, ...times } })
    const text = await (await ada.fill(answerDownload)).text()
    const at = createdAt.toISOString()
    const senders = [{ address: 'news@acme.example', since: at, lastUsedAt: at }]
    expect(JSON.parse(text)).toMatchObject({
      account: { mailPausedAt: null },
      securityEvents: [{ client_id: 'acme-web', type: 'session-revoked', state: 'delivered', createdAt: at }],
      hideMyEmail: [
        { address: 'k7mqp', app: 'Acme Web', label: 'Shop', note: 'Mine', ...traffic, lastMailAt: at, senders },
      ],
      formerEmails: [{ address: 'old@example.org', until: at }],
      emailChanges: [{ ...change, changedAt: at, expiresAt: at }],
      returnedMail: [at],
    })
    expect(text).not.toMatch(/r-token|id-of-session|hash-of-link/)
  })

  it('contains an unconfirmed address only until its code is entered', async () => {
    const { ada, prisma } = await setUp()
    const [sentAt, expiresAt] = [postern.clock.now, postern.clock.now]
    const code = { personId: ada.personId, hash: 'made-from-a-code', attempts: 0, sent: 1, sentAt, expiresAt }
    await prisma.emailCode.create({ data: { ...code, purpose: 'recover', address: 'ada@example.org' } })
    await prisma.emailCode.create({ data: { ...code, purpose: 'bind', address: 'new@example.org' } })
    const download = async () => (await (await ada.fill(answerDownload)).json()).waitingEmails
    const at = sentAt.toISOString()
    expect(await download()).toEqual([{ address: 'new@example.org', sentAt: at, expiresAt: at }])
    await prisma.emailCode.updateMany({ where: { personId: ada.personId, purpose: 'bind' }, data: { hash: '' } })
    expect(await download()).toEqual([])
    await prisma.emailCode.deleteMany({ where: { personId: ada.personId } })
  })

  it('contains no secret, no value derived from one, and no other person', async () => {
    const { ada, prisma } = await setUp()
    const text = await (await ada.fill(answerDownload)).text()
    const { passwordHash } = await ada.stored()
    const authorizations = await prisma.authorization.findMany({ where: { personId: ada.personId } })
    const sessions = await prisma.session.findMany({ where: { personId: ada.personId } })
    const secrets = [
      passwordHash,
      ...sessions.map(({ id }) => id),
      ...authorizations.flatMap(({ id, codeHash, salt, refreshHash }) => [id, codeHash, salt, refreshHash]),
    ].filter((secret) => secret !== null)
    expect(secrets.length).toBeGreaterThan(4)
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
    // Matches names of fields and whole words: a random identifier may contain three letters by chance.
    expect(text).not.toMatch(/argon2|publicKey"|hash"|salt"|\bbob\b/i)
  })

  it('requires a recent sign-in and a post from our pages, and is recorded', async () => {
    const { ada } = await setUp()
    const crossed = await ada.fill(answerDownload, {}, { 'sec-fetch-site': 'cross-site' })
    expect(crossed.headers.get('location')).toContain('/error?e=')
    postern.later(600)
    const answer = await ada.fill(answerDownload)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/signin?to=%2Faccount%2Fdata&fresh=1'])
    // The browser keeps showing the page after the download, so a notice on it would become false.
    expect(await ada.flashOf(answer, 'download')).toMatchObject({ needsSignIn: false })
  })
})
