import type { Provider } from '../wire/provider.ts'
import { formOf, openAgent } from '../wire/user-agent.ts'
import type { Driver } from './driver.ts'
import { people } from './installation.ts'

/** A sign-in continues with a page or a redirect, or is refused because the service is busy. */
const answers = [200, 303, 429, 503]

/**
 * Signs `count` people in at the same moment, each from an address of their own. Throws unless each of them is answered,
 * and the health of the service too.
 */
export async function crowd(provider: Provider, { seen }: Driver, count: number): Promise<void> {
  const [client, crowded] = [await provider.client('standard'), await makePeople(provider, count)]
  const visit = async (person: (typeof people)[number]) => {
    const agent = openAgent(provider, { person })
    const asked = await seen.record('people', async () => agent.open(await client.authorizationUrl()))
    return asked && formOf(asked, '/signin/submit') ? { agent, asked } : undefined
  }
  const visits: Exclude<Awaited<ReturnType<typeof visit>>, undefined>[] = []
  // They open the page one group after the other, because this process also makes and ends all TLS connections.
  for (let at = 0; at < count; at += 50)
    for (const one of await Promise.all(crowded.slice(at, at + 50).map(visit))) if (one) visits.push(one)
  let isOver = false
  const health = watchHealth(provider, () => isOver)
  const statuses = await Promise.all(
    visits.map(async ({ agent, asked }) => (await seen.record('people', () => agent.signIn(asked)))?.status ?? 0),
  )
  isOver = true
  const odd = [...statuses.filter((status) => !answers.includes(status)), ...(await health)]
  if (odd.length > 0) throw new Error(`The crowd or the health check got ${[...new Set(odd)].join(', ')}`)
}

/** Makes people who have the password of the first one. */
async function makePeople({ database: { prisma } }: Provider, count: number) {
  const [first] = people
  if (!first) throw new Error('There is nobody.')
  const { id: _, ...row } = await prisma.person.findUniqueOrThrow({ where: { username: first.username } })
  const crowded = Array.from({ length: count }, (_, at) => ({ ...first, username: `crowd-${at}` }))
  await prisma.person.createMany({
    data: crowded.map(({ username }) => ({ ...row, id: username, username, avatarFile: null })),
  })
  return crowded
}

/** Asks for the health of the service again and again. Returns the statuses that are not 200. */
async function watchHealth(provider: Provider, isOver: () => boolean): Promise<number[]> {
  const bad: number[] = []
  while (!isOver()) {
    const { status } = await provider.send('/healthz')
    if (status !== 200) bad.push(status)
  }
  return bad
}
