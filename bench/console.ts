import { openDatabase } from '#lib/db/engine/client'
import { ServerProcess } from '../e2e/server-process.ts'

const person = { username: 'grace', password: 'wicket orchard wall' }
const numbers = { apps: 1000, failures: 10_000, days: 365 }
const [team, app] = ['bench', 'app-0500']
const day = 86_400_000

/** The pages that are timed, below the page of the team. */
const pages = {
  'a team with 1,000 apps': '',
  'its second page': '?after=app-0049',
  'a search by name': '?search=planner+7',
  'an app with 10,000 failures': `/apps/${app}/failures`,
  'its usage, 30 days': `/apps/${app}/usage`,
  'its usage, 365 days': `/apps/${app}/usage?days=365`,
  'its health': `/apps/${app}/health`,
}

/**
 * Times pages of the console with as much to show as one team may have. One client asks for the pages by turns, so that
 * each time is that of a page alone.
 */
export async function timeConsole(turns = 40): Promise<string> {
  const server = await ServerProcess.start()
  try {
    await server.apply({ teams: [{ id: team, name: 'Bench' }], people: [person] })
    await fill(server)
    const cookie = await signIn(server)
    const times = new Map<string, number[]>()
    const sizes = new Map<string, number>()
    // The first turns warm the server up.
    for (let turn = -5; turn < turns; turn++)
      for (const [name, path] of Object.entries(pages)) {
        const began = performance.now()
        const answer = await fetch(`${server.accountUrl}/console/teams/${team}${path}`, { headers: { cookie } })
        const text = await answer.text()
        if (answer.status !== 200) throw new Error(`${path} was answered with ${answer.status}.`)
        if (turn >= 0) times.set(name, [...(times.get(name) ?? []), performance.now() - began])
        sizes.set(name, Buffer.byteLength(text))
      }
    return render(times, sizes)
  } finally {
    await server.remove()
  }
}

/** Writes the rows of the team past the forms, which would take an hour. */
async function fill({ databaseUrl }: ServerProcess) {
  const database = await openDatabase(databaseUrl)
  try {
    const { prisma } = database
    const now = new Date()
    const { id: personId } = await prisma.person.findUniqueOrThrow({ where: { username: person.username } })
    await prisma.member.create({ data: { teamId: team, personId, role: 'owner', createdAt: now } })
    const texts = { requiredScopes: 'openid', email: 'none', homepage: '', policyUri: '', tosUri: '' }
    const common = {
      ...texts,
      kind: 'confidential',
      profile: 'oidc',
      scopes: 'openid name',
      createdAt: now,
      updatedAt: now,
    }
    await prisma.app.createMany({
      data: Array.from({ length: numbers.apps }, (_, at) => ({
        ...common,
        id: `app-${String(at).padStart(4, '0')}`,
        teamId: team,
        name: `Planner ${at}`,
        redirectUris: JSON.stringify([`https://planner-${at}.example/callback`]),
      })),
    })
    const detail = JSON.stringify({
      expected: 'https://planner.example/callback',
      received: 'https://planner.example/cb',
    })
    const failures = Array.from({ length: numbers.failures }, (_, at) => ({
      id: `failure-${at}`,
      appId: app,
      endpoint: 'token',
      code: 'invalid_grant',
      reason: 'redirect_uri differs from the authorization request',
      detail,
      count: 1 + (at % 9),
      firstAt: new Date(now.getTime() - 6 * day),
      lastAt: new Date(now.getTime() - at * 30_000),
    }))
    for (let at = 0; at < failures.length; at += 1000)
      await prisma.failure.createMany({ data: failures.slice(at, at + 1000) })
    const today = now.getTime() - (now.getTime() % day)
    const whats = [
      'sign_ins',
      'new_people',
      'refreshes',
      'failures',
      'pkce',
      'state strong',
      'nonce strong',
      'scope openid',
    ]
    for (const what of whats)
      await prisma.appUsage.createMany({
        data: Array.from({ length: numbers.days }, (_, ago) => ({
          appId: app,
          day: new Date(today - ago * day),
          what,
          count: 100 + ago,
        })),
      })
  } finally {
    await database.close()
  }
}

/** Returns the cookie of a session. */
async function signIn({ accountUrl }: ServerProcess): Promise<string> {
  const answer = await fetch(`${accountUrl}/signin/submit`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ to: '/console', ...person }),
  })
  if (answer.status !== 303) throw new Error(`The sign-in was answered with ${answer.status}.`)
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

function render(times: Map<string, number[]>, sizes: Map<string, number>): string {
  const rows = [...times].map(([name, list]) => {
    const sorted = list.toSorted((one, other) => one - other)
    const at = (share: number) =>
      (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number).toFixed(1)
    return `| ${name} | ${at(0.5)} | ${at(0.95)} | ${Math.round((sizes.get(name) ?? 0) / 1024)} |`
  })
  return ['| page of the console | p50 ms | p95 ms | KiB |', '| --- | --: | --: | --: |', ...rows].join('\n')
}
