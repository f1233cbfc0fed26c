import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { expiries } from '#lib/db/jobs/sweep-store'
import { answerJwks } from '#lib/oauth/discovery/jwks'
import { filledByTraffic, weekOfTraffic } from '#lib/testing/browser/week-of-traffic'
import { kinds } from '#lib/testing/databases/databases'
import { getTokens } from '#lib/testing/oauth/get-tokens'
import { openPostern, type Postern } from '#lib/testing/process/postern'
import { jobsOf } from './jobs.ts'

/** Why each table stays bounded. A table that grows with traffic belongs to the sweep or to the job named here. */
const bounds: Record<string, string[]> = {
  'the number of people': [
    'Person',
    'Subject',
    'Consent',
    'Passkey',
    'Totp',
    'RecoveryCode',
    'FactorReset',
    'Member',
    'Operator',
    'Alias',
    'Picture',
  ],
  // They stay until the person is erased, because the relay hides them: a reply may quote one after years.
  'the number of addresses that people have had': ['FormerEmail'],
  'the number of teams and apps': [
    'Team',
    'TeamDomain',
    'Api',
    'App',
    'AppSecret',
    'AppKey',
    'ManagementToken',
    'MailDomain',
    'EventReceiver',
  ],
  'the number of jobs': ['Lease'],
  'the number of restores': ['Restore'],
  // Ten rows a year. They stay, so that a token of a retired key can be told from a forged one.
  'the age of the installation': ['SigningKey'],
  'the job mail-keys': ['MailKey'],
  'the job give-up-deliveries': ['LogoutDelivery'],
  'the sweep': expiries.map(({ table }) => table),
}

const models = [...readFileSync('prisma/schema.prisma', 'utf8').matchAll(/^model (\w+)/gm)].map(([, name = '']) => name)

it('names for every table of the model why it stays bounded', () => {
  expect(Object.values(bounds).flat().toSorted()).toEqual(models.toSorted())
})

const [hour, day] = [3600, 86_400]

/** Returns the number of rows of every table. */
async function countRows({ context: { database } }: Postern): Promise<Record<string, number | undefined>> {
  const tables = database.prisma as unknown as Record<string, { count(): Promise<number> }>
  const counts = models.map(async (name) => {
    const table = tables[name[0]?.toLowerCase() + name.slice(1)]
    return [name, await table?.count()] as const
  })
  return Object.fromEntries(await Promise.all(counts))
}

/** An app that fetches the JWKS once a day, and keeps one person signed in. */
function dailyApp(postern: Postern) {
  let kids: (string | undefined)[] = []
  let refreshToken = ''
  const signIn = async () => {
    const tokens = await getTokens(postern)
    refreshToken = tokens.refresh_token
    return tokens.id_token as string
  }
  const kidOf = (token: string): string =>
    JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid
  return {
    async fetchKeys() {
      const { keys } = await (await answerJwks(postern.context.oauth)).json()
      kids = keys.map(({ kid }: { kid: string }) => kid)
    },
    /** Refreshes, or signs in again when the refresh token has expired, and looks the key of the ID token up. */
    async work() {
      const answer = await postern.token({ grant_type: 'refresh_token', refresh_token: refreshToken })
      const tokens = await answer.json()
      if (answer.ok) refreshToken = tokens.refresh_token
      const idToken = answer.ok ? tokens.id_token : await signIn()
      expect(kids).toContain(kidOf(idToken))
      return { kid: kidOf(idToken), isSignIn: !answer.ok }
    },
  }
}

/** `npm run faults` simulates all 24 months; otherwise the first keys are replaced once. */
const inFull = process.env.FAULTS === '1'
const days = inFull ? 730 : 95

/** The most rows of each table before and after a day. The longest retention of rows that this traffic makes is 400 days. */
const turn = 480

describe.each(kinds)('24 months on %s', (kind) => {
  it('show no app a key that its JWKS of the day before lacks, and keep every table bounded', {
    timeout: 900_000,
  }, async () => {
    const postern = await openPostern({ kind })
    const app = dailyApp(postern)
    const seen = { kids: new Set<string>(), signIns: 0 }
    const [before, after]: Record<string, number>[] = [{}, {}]
    for (let today = 0; today < days; today += 1) {
      await app.fetchKeys()
      // The second time is just before the app fetches the keys again.
      for (const seconds of [9 * hour, day - 9 * hour - 1]) {
        postern.later(seconds)
        await runAll(postern)
        const { kid, isSignIn } = await app.work()
        // A server writes its counts every five seconds of real time.
        await postern.context.usageWriter.flush()
        seen.kids.add(kid)
        if (isSignIn) seen.signIns += 1
      }
      postern.later(1)
      if (today % 7 > 0) continue
      await weekOfTraffic(postern, today / 7)
      raise(today < turn ? before : after, await countRows(postern))
    }
    await postern.close()
    // A key signs for 76 days or 90.
    expect(seen.kids.size).toBe(inFull ? 9 : 2)
    expect(seen.signIns).toBe(inFull ? 5 : 1)
    expect(filledByTraffic.filter((table) => !before?.[table])).toEqual([])
    expect(before?.SigningKey).toBeGreaterThan(2)
    if (inFull) {
      expect(grown(before, after)).toEqual([])
      expect(filledByTraffic.filter((table) => !after?.[table])).toEqual([])
    }
  })
})

async function runAll({ context, clock }: Postern) {
  for (const job of Object.values(jobsOf(context))) await job({ now: () => clock.now, goOn: () => true })
}

type Counts = Record<string, number>

function raise(most: Counts | undefined, counts: Record<string, number | undefined>) {
  for (const [table, count = 0] of Object.entries(counts)) if (most) most[table] = Math.max(most[table] ?? 0, count)
}

/** Returns the tables that grew after their longest retention, beyond what the day of the week explains. */
function grown(before: Counts = {}, after: Counts = {}): string[] {
  // One key in 76 days, and one address a week.
  const kept: Counts = { SigningKey: 2 * (days / 76 + 1), FormerEmail: days / 7 + 1 }
  const most = (table: string) => kept[table] ?? (before[table] ?? 0) * 1.1 + 5
  return Object.keys(after).filter((table) => (after[table] ?? 0) > most(table))
}
