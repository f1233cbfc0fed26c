import type { Provider } from '../wire/provider.ts'
import { formOf, openAgent, type Page } from '../wire/user-agent.ts'
import type { Driver } from './driver.ts'
import { people } from './installation.ts'

/** A sign-in continues with a page or a redirect, or is refused because the service is busy. */
const [continued, refused] = [
  [200, 303],
  [429, 503],
]

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
  const answers = await Promise.all(visits.map(({ agent, asked }) => seen.record('people', () => agent.signIn(asked))))
  isOver = true
  const wrong = answers.filter((answer) => !isFine(answer)).map((answer) => answer?.status ?? 'no answer')
  const ill = await health
  if (wrong.length + ill.length > 0) throw new Error(`The crowd got ${wrong.join()}, the health check ${ill.join()}`)
  if (!answers.some((answer) => continued.includes(answer?.status ?? 0))) throw new Error('Nobody could sign in.')
}

/** A refusal says when to come back (RFC 9110 §10.2.3). */
const isFine = (answer: Page | undefined) =>
  answer !== undefined &&
  (continued.includes(answer.status) || (refused.includes(answer.status) && answer.headers.has('retry-after')))

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
    for (const path of ['/healthz', '/readyz']) {
      const { status } = await provider.send(path)
      if (status !== 200) bad.push(status)
    }
  }
  return bad
}
