import { describe, expect, it } from 'vitest'
import { findClient } from '#lib/db/oauth/client-store'
import { openTeams } from '#lib/testing/console/teams'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'
import type { Zone } from '#lib/testing/relay/zone'
import { answerDomainAddition, answerDomainCheck, answerDomainRemoval, mostTeamDomains } from './change-domains.ts'
import { recheckTeamDomains } from './check-domain.ts'
import { proofRecord } from './team-domain.ts'

const day = 86_400

describe.each(kinds)('the domains of a team on %s', (kind) => {
  const zone: Zone = {}
  const postern = sharePostern({ kind, zone, env: { TEAMS: 'open' } })
  const { newcomer, create, result, teamWith, addApp } = openTeams(postern)
  type Person = Awaited<ReturnType<typeof newcomer>>
  const fill = async (person: Person, handler: typeof answerDomainAddition, team: string, domain: string) =>
    result(person, await person.fill(handler, { team, domain }), 'domain')
  const acts = async (id: string) => (await postern.context.acts.list(id, undefined, 50)).map((one) => one.kind)
  const found = async (team: string, domain: string) => {
    const one = (await postern.context.teamDomains.list(team)).find((each) => each.domain === domain)
    if (!one) throw new Error(`The team has no domain ${domain}.`)
    return one
  }
  /** Makes a team with a domain, and returns the question that DNS is asked. */
  const teamWithDomain = async (domain: string) => {
    const owner = await newcomer()
    const { id } = await create(owner)
    await fill(owner, answerDomainAddition, id, domain)
    const { name, value } = proofRecord(await found(id, domain))
    return { owner, id, domain, question: `TXT ${name}`, value }
  }
  const prove = async (domain: string) => {
    const team = await teamWithDomain(domain)
    zone[team.question] = [team.value]
    await fill(team.owner, answerDomainCheck, team.id, domain)
    return team
  }
  const letters: string[] = []
  const recheck = () =>
    recheckTeamDomains({
      store: postern.context.teamDomains,
      findTexts: postern.context.findTexts,
      letter: async ({ to, domain, until }) => letters.push(`${to} ${domain} ${until ? 'missing' : 'lost'}`),
      now: postern.clock.now,
      random: postern.context.random,
    })

  it('are proven by the TXT record of the team, and by no other record', async () => {
    const { owner, id, question, value } = await teamWithDomain('acme.example')
    const check = () => fill(owner, answerDomainCheck, id, 'acme.example')
    expect(question).toBe('TXT _postern-team.acme.example')
    expect(value).toMatch(new RegExp(`^postern-team=${id}:[0-9a-f]{36}$`))
    expect(await check()).toBe('proof_missing')
    zone[question] = ['v=spf1 -all', `postern-team=other:${value.slice(-36)}`, value.slice(0, -1)]
    expect(await check()).toBe('proof_other')
    zone[question] = 'trouble'
    expect(await check()).toBe('proof_trouble')
    expect((await found(id, 'acme.example')).verifiedAt).toBeUndefined()
    zone[question] = [
      ['v=spf1', ' -all'],
      [value.slice(0, 20), value.slice(20)],
    ] as string[][]
    expect(await check()).toBe('domain_proven')
    expect((await found(id, 'acme.example')).verifiedAt).toEqual(postern.clock.now)
    expect(await check()).toBe('domain_proven')
    expect(await acts(id)).toEqual(['domain_proven', 'domain_added', 'team_created'])
  })

  it('make the team verified, so that people see the domain and the logos', async () => {
    const { id, question } = await prove('shown.example')
    const appId = `shown-${kind}`
    await addApp(id, appId)
    const { prisma } = postern.context.database
    await prisma.app.update({ where: { id: appId }, data: { logoFile: 'logo.webp' } })
    const shown = async () => {
      const client = await findClient(prisma, appId)
      return { ...client?.team, logo: client?.logoFile }
    }
    expect(await shown()).toEqual({ isVerified: true, domains: ['shown.example'], logo: 'logo.webp' })
    zone[question] = []
    for (let week = 0; week < 2; week += 1) {
      postern.later(7 * day)
      await recheck()
    }
    expect(await shown()).toEqual({ isVerified: false, domains: [], logo: undefined })
    await prisma.team.update({ where: { id }, data: { trusted: true } })
    expect(await shown()).toEqual({ isVerified: true, domains: [], logo: 'logo.webp' })
  })

  it('are lost at the second clear answer without the record, a week after the first; the owner gets letters', async () => {
    const { owner, id, question, value } = await prove('lost.example')
    await postern.context.database.prisma.person.update({
      where: { id: owner.personId },
      data: { email: `${owner.username}@example.org` },
    })
    letters.length = 0
    zone[question] = 'trouble'
    for (let times = 0; times < 5; times += 1) {
      postern.later(8 * day)
      await recheck()
    }
    expect(await found(id, 'lost.example')).toMatchObject({ misses: 0, verifiedAt: expect.any(Date) })
    zone[question] = []
    postern.later(day)
    await recheck()
    await recheck()
    postern.later(6 * day)
    await recheck()
    expect(await found(id, 'lost.example')).toMatchObject({ misses: 1, verifiedAt: expect.any(Date) })
    zone[question] = [value]
    postern.later(2 * day)
    await recheck()
    expect(await found(id, 'lost.example')).toMatchObject({ misses: 0, verifiedAt: postern.clock.now })
    zone[question] = ['other']
    for (let week = 0; week < 3; week += 1) {
      postern.later(7 * day)
      await recheck()
    }
    expect((await found(id, 'lost.example')).verifiedAt).toBeUndefined()
    const to = `${owner.username}@example.org lost.example`
    expect(letters.filter((one) => one.startsWith(to))).toEqual([`${to} missing`, `${to} missing`, `${to} lost`])
    expect((await acts(id)).slice(0, 3)).toEqual(['domain_lost', 'domain_missing', 'domain_missing'])
  })

  it('are lost when DNS does not answer for sixty days', async () => {
    const { id, question } = await prove('mute.example')
    zone[question] = 'trouble'
    postern.later(59 * day)
    await recheck()
    expect(await found(id, 'mute.example')).toMatchObject({ misses: 0, verifiedAt: expect.any(Date) })
    postern.later(day)
    await recheck()
    expect(await found(id, 'mute.example')).toMatchObject({ misses: 1, verifiedAt: expect.any(Date) })
    postern.later(7 * day)
    await recheck()
    expect((await found(id, 'mute.example')).verifiedAt).toBeUndefined()
    expect((await acts(id)).slice(0, 2)).toEqual(['domain_lost', 'domain_missing'])
  })

  it('do not lose a proof to checks by hand', async () => {
    const { owner, id, question } = await prove('hand.example')
    zone[question] = []
    for (let times = 0; times < 4; times += 1)
      expect(await fill(owner, answerDomainCheck, id, 'hand.example')).toBe('proof_missing')
    expect(await found(id, 'hand.example')).toMatchObject({ misses: 0, verifiedAt: expect.any(Date) })
  })

  it('can be proven by several teams, each with its own record', async () => {
    const [one, other] = [await prove('both.example'), await teamWithDomain('both.example')]
    expect(other.value).not.toBe(one.value)
    expect(await fill(other.owner, answerDomainCheck, other.id, 'both.example')).toBe('proof_other')
    zone[one.question] = [one.value, other.value]
    expect(await fill(other.owner, answerDomainCheck, other.id, 'both.example')).toBe('domain_proven')
  })

  it('are stored in A-labels, once, and at most ten', async () => {
    const owner = await newcomer()
    const { id } = await create(owner)
    const add = (domain: string) => fill(owner, answerDomainAddition, id, domain)
    expect(await add(' BÜCHER.example. ')).toBe('domain_added')
    expect(await add('xn--bcher-kva.example')).toBe('domain_known')
    const at8 = await Promise.all(Array.from({ length: 8 }, () => add('twice.example')))
    expect(at8.sort()).toEqual(['domain_added', ...Array(7).fill('domain_known')])
    await Promise.all(Array.from({ length: 15 }, (_, at) => add(`n${at}.example`)))
    expect(await postern.context.teamDomains.list(id)).toHaveLength(mostTeamDomains)
    expect(await add('one-more.example')).toBe('domain_enough')
  })

  it.each([
    ['', 'domain_missing'],
    ['co.uk', 'domain_suffix'],
    ['github.io', 'domain_suffix'],
    ['*.acme.example', 'domain_malformed'],
    ['10.0.0.1', 'domain_malformed'],
    ['localhost', 'domain_malformed'],
    ['<script>alert(1)</script>.example', 'domain_malformed'],
    ['x'.repeat(60_000), 'domain_malformed'],
  ])('refuses %j with %s', async (domain, problem) => {
    const owner = await newcomer()
    const { id } = await create(owner)
    expect(await fill(owner, answerDomainAddition, id, domain)).toBe(problem)
    expect(await postern.context.teamDomains.list(id)).toEqual([])
  })

  it('are changed and checked by owners only, and never for another team', async () => {
    const { owner, id, domain, question } = await teamWithDomain('own.example')
    const { member, id: theirs } = await teamWith('developer')
    const stranger = await newcomer()
    for (const handler of [answerDomainAddition, answerDomainCheck, answerDomainRemoval]) {
      expect(await fill(member, handler, theirs, domain)).toBe('not_allowed')
      expect(await fill(stranger, handler, id, domain)).toBe('')
    }
    expect(await fill(owner, answerDomainCheck, id, 'theirs.example')).toBe('domain_gone')
    expect(await postern.context.teamDomains.list(theirs)).toEqual([])
    zone[question] = [proofRecord(await found(id, domain)).value]
    await fill(owner, answerDomainCheck, id, domain)
    const at8 = await Promise.all(Array.from({ length: 8 }, () => fill(owner, answerDomainRemoval, id, domain)))
    expect(new Set(at8)).toEqual(new Set(['domain_removed']))
    expect(await acts(id)).toEqual(['domain_removed', 'domain_proven', 'domain_added', 'team_created'])
  })

  it('are checked at most thirty times an hour, counted before DNS is asked', async () => {
    const { owner, id } = await teamWithDomain('often.example')
    const answers = []
    for (let times = 0; times < 32; times += 1) answers.push(await fill(owner, answerDomainCheck, id, 'often.example'))
    expect(answers.slice(29)).toEqual(['proof_missing', 'dns_wait', 'dns_wait'])
  })
})
