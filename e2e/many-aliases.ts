import { randomBytes } from 'node:crypto'
import { openDatabase } from '#lib/db/engine/client'
import { aliasAddress, makeAliasName } from '#lib/relay/recipient/local-part'
import type { ServerProcess } from './server-process.ts'

/** The bound address, which the person hides from the apps. */
export const inbox = 'ada@example.org'

const person = { username: 'ada', password: 'correct horse battery', email: inbox }

/** Creates a person who hides an address from `count` apps. Returns the relay addresses of those apps. */
export async function hideFrom(count: number, server: ServerProcess): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, index) => `app-${index}`)
  const common = { kind: 'public', redirect_uris: ['http://127.0.0.1:9/callback'], scopes: ['openid', 'email'] }
  const apps = ids.map((id) => ({ client_id: id, name: `App ${id}`, email: 'optional', ...common }))
  await server.apply({ teams: [{ id: 'acme', name: 'Acme', apps }], people: [person] })
  const database = await openDatabase(server.databaseUrl)
  try {
    const { prisma } = database
    const { id: personId } = await prisma.person.findUniqueOrThrow({ where: { username: 'ada' } })
    const now = new Date()
    const agreed = { granted: 'openid email', declined: '', emailChoice: 'hidden', createdAt: now, updatedAt: now }
    const aliases = ids.map((appId) => ({ appId, address: makeAliasName(randomBytes) }))
    await prisma.consent.createMany({ data: ids.map((appId) => ({ personId, appId, ...agreed })) })
    await prisma.alias.createMany({ data: aliases.map((alias) => ({ personId, createdAt: now, ...alias })) })
    return aliases.map(({ address }) => aliasAddress(address, 'relay.localhost'))
  } finally {
    await database.close()
  }
}
