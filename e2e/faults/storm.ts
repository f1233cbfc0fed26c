import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Provider } from '../wire/provider.ts'
import { openAgent, type Page, type UserAgent } from '../wire/user-agent.ts'
import type { Driver } from './driver.ts'

const password = 'correct horse battery'

/** Opens the sign-in page for this many people. Returns a function that submits all of them at once. */
export async function prepareStorm(provider: Provider, count: number) {
  const names = await addPeople(provider, count)
  const waiting: { agent: UserAgent; page: Page }[] = []
  for (let at = 0; at < count; at += 20)
    waiting.push(
      ...(await Promise.all(
        names.slice(at, at + 20).map(async (username) => {
          const agent = openAgent(provider, { person: { username, password } })
          return { agent, page: await agent.open('/account') }
        }),
      )),
    )
  return ({ seen, book }: Driver) =>
    Promise.all(
      waiting.map(async ({ agent, page }) => {
        // A person who is told to wait tries again after a while.
        while (((await seen.record('people', () => agent.signIn(page)))?.status ?? 0) !== 200)
          await pause(1000 + 4000 * Math.random())
        book.sessions.push(agent)
        book.acknowledged++
      }),
    )
}

/** Adds people with the password of an existing person, because hashing each password would take minutes. */
async function addPeople({ database }: Provider, count: number): Promise<string[]> {
  const fay = await database.prisma.person.findUniqueOrThrow({ where: { username: 'fay' } })
  const rows = Array.from({ length: count }, (_, at) => ({ ...fay, id: randomUUID(), username: `storm-${at}` }))
  await database.prisma.person.createMany({ data: rows })
  return rows.map(({ username }) => username)
}

/** Opens connections to one node, sends nothing for five seconds, and closes them. */
export async function idle({ nodes }: Provider, count: number): Promise<void> {
  const [host, port] = nodes[0]?.env.LISTEN_ISSUER?.split(':') ?? []
  const sockets = Array.from({ length: count }, () => connect(Number(port), host).on('error', () => undefined))
  await Promise.all(sockets.map((socket) => once(socket, 'connect').catch(() => undefined)))
  await pause(5000)
  for (const socket of sockets) socket.destroy()
}
