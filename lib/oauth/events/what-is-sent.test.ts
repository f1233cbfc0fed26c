import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { makePeopleStore } from '#lib/db/account/people-store'
import type { Context } from '#lib/server/compose/context'
import { erasePeople } from '#lib/server/jobs/erase-people'
import { recordedAt } from '#lib/testing/admin/recorded-at'
import { kinds } from '#lib/testing/databases/databases'
import { shareEvents } from '#lib/testing/events/share-events'

type Signed = { id: string; personId: string; publicId: string }
type Way = [what: string, change: (signed: Signed, context: Context) => Promise<unknown>, events: string[]]

const passkey = { id: 'key', publicKey: new Uint8Array(1), counter: 0, transports: ['usb'], backedUp: false, name: '' }
const reset = { before: undefined, hash: 'hash', secondFactor: false, signOut: true, revoke: true }

describe.each(kinds)('security events on %s', (kind) => {
  const { shared, events, queued, settled, nudge, signIn } = shareEvents(kind)
  const now = () => shared.postern.clock.now
  const prisma = () => shared.postern.context.database.prisma
  /** Verifies every token that arrived as its receiver would, with the published keys. */
  const verified = () =>
    Promise.all(
      shared.receiver.arrived.map(async ({ path, token }) => {
        const keys = createLocalJWKSet({ keys: await shared.postern.context.oauth.keys.published() })
        const expected = { issuer: shared.postern.context.config.issuer, audience: path.slice(1), typ: 'secevent+jwt' }
        return (await jwtVerify(token, keys, { ...expected, currentDate: now() })).payload
      }),
    )

  const ways: Way[] = [
    ['a session ends', ({ id }, { signIn: store }) => store.endSession(id, now()), ['session-revoked']],
    [
      'the person signs out elsewhere',
      ({ personId }, { sessions }) => sessions.endOthers(personId, undefined, now()),
      ['session-revoked'],
    ],
    [
      'the person withdraws the access of all apps',
      ({ personId }, { sessions }) => sessions.revokeApps(personId, now()),
      ['access-withdrawn'],
    ],
    [
      'the operator disables the person',
      (_, { database }) => makePeopleStore(database.prisma).setDisabled('ada', true, recordedAt(now())),
      ['account-disabled', 'session-revoked'],
    ],
    [
      'the person asks for the deletion of the account',
      ({ personId }, { deletions }) =>
        deletions.ask(personId, { keepSession: '', now: now(), deleteAfter: new Date(now().getTime() + 1) }),
      ['account-disabled', 'session-revoked'],
    ],
    [
      'the person changes the password',
      ({ personId }, { signUps }) => signUps.setPassword(personId, 'hash', now()),
      ['credential-change'],
    ],
    [
      'the person adds a passkey',
      ({ personId }, { factors }) => factors.addPasskey(personId, passkey, now()),
      ['credential-change'],
    ],
    [
      'the person adds an authenticator app',
      ({ personId }, { factors }) => factors.addTotp(personId, { sealedSecret: '', lastStep: 0, now: now() }),
      ['credential-change'],
    ],
    [
      'the person makes recovery codes',
      ({ personId }, { factors }) => factors.replaceRecoveryCodes(personId, [{ selector: 'a', hash: 'b' }], now()),
      ['credential-change'],
    ],
  ]

  it.each(ways)('reach each app of which the person has a live authorization, when %s', async (_, change, expected) => {
    const signed = await signIn(['one', 'foreign', 'silent'])
    await prisma().totp.deleteMany()
    await change(signed, shared.postern.context)
    expect(await queued()).toEqual(['foreign', 'one'].flatMap((app) => expected.map((type) => `${app} ${type}`)))
    nudge()
    await settled()
    expect(await verified()).toHaveLength(2 * expected.length)
  })

  it('name the person by the identifier of the team, and neither browser nor address nor network', async () => {
    const { personId, tokens } = await signIn(['one', 'foreign'])
    await shared.postern.context.factors.addPasskey(personId, { ...passkey, id: 'two' }, now())
    nudge()
    await settled()
    const [first = '', second = ''] = shared.receiver.arrived.map(({ token }) => token)
    expect(decodeProtectedHeader(first)).toEqual({ alg: 'ES256', typ: 'secevent+jwt', kid: expect.any(String) })
    const payloads = await verified()
    const subs = tokens.map(({ id_token }) => JSON.parse(atob(id_token.split('.')[1] ?? '')).sub)
    const iss = shared.postern.context.config.issuer
    const at = Math.floor(now().getTime() / 1000)
    for (const payload of payloads) {
      const sub = subs[payload.aud === 'one' ? 0 : 1]
      expect(payload).toEqual({
        ...{ iss, jti: expect.any(String), iat: at, aud: payload.aud },
        sub_id: { format: 'iss_sub', iss, sub },
        events: {
          'https://schemas.openid.net/secevent/caep/event-type/credential-change': {
            event_timestamp: at,
            credential_type: 'fido2-roaming',
            change_type: 'create',
          },
        },
      })
    }
    expect(subs[0]).not.toBe(subs[1])
    expect(first).not.toBe(second)
    expect(new Set(payloads.map(({ jti }) => jti)).size).toBe(2)
  })

  it('name the ended session by the sid of the app’s ID tokens', async () => {
    const { id, tokens } = await signIn(['one'])
    await signIn(['one'])
    await shared.postern.context.signIn.endSession(id, now())
    nudge()
    await settled()
    const { sid } = JSON.parse(atob(tokens[0]?.id_token.split('.')[1] ?? ''))
    const [payload] = await verified()
    const type = 'https://schemas.openid.net/secevent/caep/event-type/session-revoked'
    expect(payload?.events).toEqual({ [type]: { event_timestamp: payload?.iat, sid } })
  })

  it('are not queued for an app without a live authorization', async () => {
    const { personId } = await signIn(['one', 'two', 'foreign'])
    await prisma().authorization.updateMany({ where: { appId: 'one' }, data: { keepUntil: now() } })
    await shared.postern.context.consents.withdrawConsent(personId, 'two', now())
    await events().deleteMany()
    await prisma().authorization.updateMany({ where: { appId: 'foreign' }, data: { codeSpentAt: null } })
    shared.postern.later(1)
    await shared.postern.context.signUps.setPassword(personId, 'hash', now())
    await shared.postern.context.sessions.endOthers(personId, undefined, now())
    await makePeopleStore(prisma()).setDisabled('ada', true, recordedAt(now()))
    expect(await queued()).toEqual([])
  })

  it('say when access to one app is withdrawn, to this app alone', async () => {
    const { personId } = await signIn(['one', 'two'])
    const withdrawals = Array.from({ length: 8 }, () =>
      shared.postern.context.consents.withdrawConsent(personId, 'one', now()),
    )
    await Promise.all(withdrawals)
    expect(new Set(await queued())).toEqual(new Set(['one access-withdrawn']))
    nudge()
    await settled()
    const iss = shared.postern.context.config.issuer
    expect(Object.keys((await verified())[0]?.events as object)).toEqual([`${iss}/events/access-withdrawn`])
  })

  it('say when the e-mail choice changes, and when a relay address is switched off and on', async () => {
    const { personId } = await signIn(['one', 'two'])
    const { consents, hideMyEmail, aliases } = shared.postern.context
    const before = await consents.findConsent(personId, 'one')
    if (!before) throw new Error('There is no consent.')
    const after = { ...before, emailChoice: 'hidden' as const }
    await consents.replaceConsent({ personId, appId: 'one', before, after, now: now() })
    const [name = ''] = (await aliases.ensureAddress(personId, 'one', now())).split('@')
    await hideMyEmail.switchOff(personId, name, now())
    await hideMyEmail.switchOff(personId, name, now())
    await hideMyEmail.switchOn(personId, name, now())
    nudge()
    await settled()
    expect(shared.receiver.types('/one').sort()).toEqual([
      'email-choice-changed',
      'relay-address-off',
      'relay-address-on',
    ])
    expect(shared.receiver.types('/two')).toEqual([])
    expect(JSON.stringify(await verified())).not.toContain(name)
  })

  it('say when the account is enabled again, to the apps that the person still shares with', async () => {
    const { personId } = await signIn(['one', 'two'])
    const people = makePeopleStore(prisma())
    await shared.postern.context.consents.withdrawConsent(personId, 'two', now())
    await people.setDisabled('ada', true, recordedAt(now()))
    shared.postern.later(60 * 86_400)
    await events().deleteMany()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => people.setDisabled('ada', false, recordedAt(now()))),
    )
    expect(answers).toEqual(Array(8).fill(true))
    expect(await queued()).toEqual(['one account-enabled'])
  })

  it('say when the person keeps the account, unless it is disabled', async () => {
    const { personId } = await signIn(['one'])
    const { deletions } = shared.postern.context
    const ask = { keepSession: '', now: now(), deleteAfter: new Date(now().getTime() + 86_400_000) }
    await deletions.ask(personId, ask)
    await events().deleteMany()
    await deletions.keep(personId, now())
    expect(await queued()).toEqual(['one account-enabled'])
    await deletions.ask(personId, ask)
    await makePeopleStore(prisma()).setDisabled('ada', true, recordedAt(now()))
    await events().deleteMany()
    await makePeopleStore(prisma()).setDisabled('ada', false, recordedAt(now()))
    expect(await queued()).toEqual([])
  })

  it('say that the account was deleted when its rows are gone, and nothing before', async () => {
    const { personId } = await signIn(['one', 'two', 'silent'])
    const { deletions, consents, recoveries } = shared.postern.context
    await recoveries.resetPassword({ personId, now: now(), ...reset, before: await passwordOf(personId) })
    await consents.withdrawConsent(personId, 'two', now())
    const deleteAfter = new Date(now().getTime() + 7 * 86_400_000)
    await deletions.ask(personId, { keepSession: '', now: now(), deleteAfter })
    await events().deleteMany()
    shared.postern.later(8 * 86_400)
    const [sub] = await prisma().subject.findMany({ where: { personId, teamId: 'acme' } })
    expect(await queued()).toEqual([])
    await Promise.all([erasePeople(deletions, now()), erasePeople(shared.others[0]?.deletions ?? deletions, now())])
    expect(await prisma().person.count({ where: { id: personId } })).toBe(0)
    expect(await queued()).toEqual(['one account-purged'])
    nudge()
    await settled()
    expect((await verified())[0]?.sub_id).toMatchObject({ sub: sub?.sub })
  })

  const passwordOf = async (id: string) =>
    (await prisma().person.findUniqueOrThrow({ where: { id } })).passwordHash ?? undefined
})
