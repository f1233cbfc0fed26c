import { beforeEach, describe, expect, it } from 'vitest'
import { openApps } from '#lib/testing/console/apps'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'
import { answerEventReplay, answerReceiverPause, answerReceiverVerification } from './deliveries.ts'
import { answerReceiver, answerReceiverRemoval } from './receiver.ts'

const address = 'https://events.acme.example/in'

describe.each(kinds)('the receiver of security events in the console on %s', (kind) => {
  const postern = sharePostern({ kind, env: { TEAMS: 'open' } })
  const prisma = () => postern.context.database.prisma
  const { member, send } = openApps(postern)
  type Fields = Record<string, string | string[]>
  const save = async (fields: Fields, account?: Awaited<ReturnType<typeof member>>) =>
    send(account ?? (await member()), answerReceiver, { app: 'acme-web', receiver: address, ...fields }, 'events')
  const stored = () => prisma().eventReceiver.findFirst()
  const acts = async () =>
    (await prisma().teamAct.findMany({ orderBy: [{ at: 'asc' }, { position: 'asc' }] })).map(({ act }) => act)

  beforeEach(async () => {
    await prisma().eventReceiver.deleteMany()
    await prisma().securityEvent.deleteMany()
    await prisma().teamAct.deleteMany()
  })

  it('is registered, changed, paused, resumed, verified and removed, each with an act', async () => {
    const account = await member()
    const of = { app: 'acme-web' }
    expect((await save({}, account)).result).toBe('receiver_registered')
    expect((await save({ receiver: `${address}/2` }, account)).result).toBe('receiver_changed')
    expect((await send(account, answerReceiverPause, { ...of, state: 'paused' }, 'events')).result).toBe(
      'receiver_paused',
    )
    expect((await send(account, answerReceiverVerification, of, 'events')).result).toBe('receiver_verified')
    expect((await send(account, answerReceiverVerification, of, 'events')).result).toBe('receiver_verifying')
    expect((await send(account, answerEventReplay, of, 'events')).result).toBe('replay_empty')
    expect((await send(account, answerReceiverPause, { ...of, state: 'active' }, 'events')).result).toBe(
      'receiver_resumed',
    )
    expect((await send(account, answerReceiverRemoval, of, 'events')).result).toBe('receiver_removed')
    expect((await send(account, answerReceiverRemoval, of, 'events')).result).toBe('receiver_removed')
    expect(await acts()).toEqual(
      ['registered', 'changed', 'paused', 'verified', 'resumed', 'removed'].map((act) => `receiver_${act}`),
    )
    expect(await prisma().securityEvent.count()).toBe(0)
    expect((await send(account, answerReceiverPause, of, 'events')).result).toBe('receiver_absent')
  })

  it.each([
    [{ receiver: '' }, 'receiver rule'],
    [{ receiver: '/in' }, 'receiver rule'],
    [{ receiver: 'ftp://a.example/' }, 'receiver rule'],
    [{ receiver: 'https://name:password@a.example/' }, 'receiver rule'],
    [{ receiver: `https://a.example/${'x'.repeat(10_000)}` }, 'receiver rule'],
    [{ header: 'god' }, 'header receiver_header'],
    [{ header: 'set' }, 'authorization receiver_authorization'],
    [{ header: 'set', authorization: 'Bearer a\r\nX-Evil: b' }, 'authorization receiver_authorization'],
    [{ header: 'set', authorization: 'Bearer ü' }, 'authorization receiver_authorization'],
    [{ header: 'set', authorization: 'x'.repeat(1001) }, 'authorization receiver_authorization'],
  ])('is refused with %j, and nothing is stored', async (wrong, problem) => {
    const { result, flash } = await save(wrong)
    expect(result).toBe(problem)
    expect(await stored()).toBeNull()
    expect(JSON.stringify(flash?.kept ?? {})).not.toContain('Bearer')
    expect(await acts()).toEqual([])
  })

  it('keeps its header value sealed, and sends it to no other address', async () => {
    await save({ header: 'set', authorization: 'Bearer of-the-receiver' })
    const sealed = (await stored())?.sealedAuthorization
    expect(sealed).not.toContain('of-the-receiver')
    const evil = 'https://evil.example/'
    expect((await save({ header: 'keep', receiver: evil })).result).toBe('authorization receiver_secret_needed')
    expect(await stored()).toMatchObject({ address, sealedAuthorization: sealed })
    expect((await save({ header: 'keep' })).result).toBe('receiver_changed')
    expect((await stored())?.sealedAuthorization).toBe(sealed)
    expect((await save({ header: 'none', receiver: evil })).result).toBe('receiver_changed')
    expect(await stored()).toMatchObject({ address: evil, sealedAuthorization: '' })
    expect((await save({ header: 'keep' })).result).toBe('receiver_changed')
    expect(JSON.stringify(await prisma().teamAct.findMany())).not.toContain('of-the-receiver')
  })

  it('is one, when eight members register at once', async () => {
    const account = await member()
    const saved = await Promise.all(Array.from({ length: 8 }, () => save({}, account)))
    expect(saved.map(({ result }) => result).sort()).toEqual([
      ...Array(7).fill('receiver_changed'),
      'receiver_registered',
    ])
  })

  it('asks for a recent sign-in before events go elsewhere, and keeps the address alone', async () => {
    const account = await member()
    postern.later(3600)
    const { to, flash } = await save({ header: 'set', authorization: 'Bearer secret' }, account)
    expect(to).toContain('/signin?')
    expect(flash?.kept).toEqual({ receiver: address, header: 'set' })
    const removal = await send(account, answerReceiverRemoval, { app: 'acme-web' }, 'events')
    expect(removal.to).toContain('/signin?')
  })

  it.each([answerReceiver, answerReceiverRemoval, answerReceiverPause, answerReceiverVerification, answerEventReplay])(
    'lets a viewer change nothing, and a member nothing of another team (%o)',
    async (handler) => {
      await save({})
      const before = await stored()
      const fields = { receiver: 'https://evil.example/', state: 'paused' }
      const viewer = await send(await member('viewer', 'bob'), handler, { app: 'acme-web', ...fields }, 'events')
      expect(viewer.result).toBe('not_allowed')
      const owner = await member('owner')
      for (const app of ['other-web', 'nothing', '', 'x'.repeat(5000)])
        await send(owner, handler, { app, ...fields }, 'events')
      expect(await prisma().eventReceiver.findMany()).toEqual([before])
    },
  )

  it('replays the events of one app five times in an hour, also for 20 requests at once', async () => {
    postern.later(3600)
    const account = await member()
    await save({}, account)
    const press = async (app = 'acme-web') => (await send(account, answerEventReplay, { app }, 'events')).flash
    const pressed = await Promise.all(Array.from({ length: 20 }, () => press()))
    const codes = pressed.map((flash) => flash?.problems[0]?.code)
    expect(codes.filter((code) => code === 'replay_empty')).toHaveLength(5)
    expect(codes.filter((code) => code === 'replay_wait')).toHaveLength(15)
    expect((await press())?.problems).toMatchObject([{ wait: expect.any(Number) }])
    postern.later(3600)
    expect((await press())?.problems).toMatchObject([{ code: 'replay_empty' }])
  })
})
