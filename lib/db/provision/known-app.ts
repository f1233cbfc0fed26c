import type { Writer } from './provision-plan.ts'

/** A registered app with its secrets, keys and mail domains. */
export type KnownApp = Awaited<ReturnType<typeof findApps>>[number]

export const findApps = (reader: Writer, ids: string[]) =>
  reader.app.findMany({
    where: { id: { in: ids } },
    include: { secrets: { orderBy: { createdAt: 'asc' } }, keys: true, mailDomains: { orderBy: { domain: 'asc' } } },
  })
