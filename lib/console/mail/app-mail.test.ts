import { describe, expect, it } from 'vitest'
import { openApps } from '#lib/testing/console/apps'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'
import type { Zone } from '#lib/testing/relay/zone'
import { answerMailDomainAddition, answerMailDomainCheck, answerMailDomainRemoval } from './change-mail.ts'
import { sumMail } from './mail-days.ts'

describe.each(kinds)('the mail domains of an app on %s', (kind) => {
  const zone: Zone = {}
  const postern = sharePostern({ kind, zone })
  const { member, send } = openApps(postern)
  type Account = Awaited<ReturnType<typeof member>>
  type Handler = typeof answerMailDomainAddition
  const fill = async (account: Account, handler: Handler, domain: string, app = 'acme-web') =>
    (await send(account, handler, { app, domain }, 'mail')).result
  const domains = (app = 'acme-web') => postern.context.appMail.listDomains(app)
  const acts = async () => (await postern.context.acts.list('acme', undefined, 3)).map((act) => act.kind)

  it('are added, proven by DNS, counted by the relay, and removed, each with an act', async () => {
    const ada = await member()
    expect(await fill(ada, answerMailDomainAddition, ' Mail.ACME.example ')).toBe('domain_added')
    expect(await fill(ada, answerMailDomainAddition, 'mail.acme.example')).toBe('domain domain_known')
    const [added] = await domains()
    expect(added).toMatchObject({ domain: 'mail.acme.example', record: { name: '_postern.mail.acme.example' } })
    const question = `TXT ${added?.record.name}`
    expect(await fill(ada, answerMailDomainCheck, 'mail.acme.example')).toBe('proof_missing')
    zone[question] = 'trouble'
    expect(await fill(ada, answerMailDomainCheck, 'mail.acme.example')).toBe('proof_trouble')
    zone[question] = [`"${added?.record.value}"`]
    expect(await fill(ada, answerMailDomainCheck, 'mail.acme.example')).toBe('domain_proven')
    expect(await postern.context.relay.verifiedDomains('acme-web')).toEqual(['mail.acme.example'])
    zone[question] = []
    postern.later(60)
    expect(await fill(ada, answerMailDomainCheck, 'mail.acme.example')).toBe('proof_missing')
    expect(await domains()).toMatchObject([{ verifiedAt: expect.any(Date), losesProofAt: expect.any(Date) }])
    const at8 = await Promise.all(
      Array.from({ length: 8 }, () => fill(ada, answerMailDomainRemoval, 'mail.acme.example')),
    )
    expect(new Set(at8)).toEqual(new Set(['domain_removed']))
    expect(await domains()).toEqual([])
    expect((await acts()).slice(0, 2)).toEqual(['mail_domain_removed', 'mail_domain_added'])
  })

  it('are at most twenty, also when added at once', async () => {
    const ada = await member()
    await Promise.all(Array.from({ length: 25 }, (_, at) => fill(ada, answerMailDomainAddition, `n${at}.example`)))
    expect(await domains()).toHaveLength(20)
    expect(await fill(ada, answerMailDomainAddition, 'more.example')).toBe('domain domain_enough')
  })

  it.each([
    ['', 'domain domain_missing'],
    ['co.uk', 'domain domain_suffix'],
    ['*.acme.example', 'domain domain_malformed'],
    ['127.0.0.1', 'domain domain_malformed'],
    ['acme', 'domain domain_malformed'],
    ['x'.repeat(60_000), 'domain domain_malformed'],
  ])('refuse %j with %s', async (domain, problem) =>
    expect(await fill(await member(), answerMailDomainAddition, domain)).toBe(problem),
  )

  it('are changed by developers and owners, and never for the app of another team', async () => {
    const viewer = await member('viewer', 'bob')
    for (const handler of [answerMailDomainAddition, answerMailDomainCheck, answerMailDomainRemoval]) {
      expect(await fill(viewer, handler, 'viewer.example')).toBe('not_allowed')
      expect(await fill(await member(), handler, 'theirs.example', 'other-web')).toBe('')
    }
    expect(await domains('other-web')).toEqual([])
    expect(await fill(await member(), answerMailDomainCheck, 'unknown.example')).toBe('domain_gone')
  })

  it('list refusals without a person or an address', async () => {
    const refusal = { code: '5.7.26', reason: 'dmarc_failed', detail: '{"results":"spf=fail dkim=none dmarc=fail"}' }
    const now = postern.context.now()
    const row = { id: 'r1', appId: 'acme-web', endpoint: 'relay', ...refusal, count: 2, firstAt: now, lastAt: now }
    await postern.context.database.prisma.failure.create({ data: row })
    expect(await postern.context.appMail.listRefusals('acme-web')).toEqual([
      { code: '5.7.26', reason: 'dmarc_failed', results: 'spf=fail dkim=none dmarc=fail', count: 2, lastAt: now },
    ])
    expect(await postern.context.appMail.listRefusals('other-web')).toEqual([])
  })
})

it('sums the mail of some days, and no other numbers', () => {
  const day = new Date()
  const rows = [
    { day, what: 'forwarded', count: 3 },
    { day, what: 'forwarded', count: 4 },
    { day, what: 'sign_ins', count: 9 },
    { day, what: 'replied', count: 1 },
  ]
  expect(sumMail(rows)).toEqual({ forwarded: 7, blocked: 0, replied: 1 })
})
