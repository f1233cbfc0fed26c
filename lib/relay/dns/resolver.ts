import { Resolver as Servers } from 'node:dns/promises'

/** Looks up the records of a type; what is not there rejects with ENOTFOUND or ENODATA, everything else is trouble. */
export type Resolver = (name: string, type: string) => Promise<DnsAnswer>

export type DnsAnswer = string[] | string[][] | { exchange: string; priority: number }[]

/** Asks the DNS servers of this machine: four seconds a try, two tries. */
export function openResolver(): Resolver {
  const servers = new Servers({ timeout: 4000, tries: 2 })
  return async (name, type) => (await servers.resolve(name, type)) as DnsAnswer
}

/** The TXT records of a name, each in one piece; undefined when nobody can say now. */
export async function findTexts(resolver: Resolver, name: string): Promise<string[] | undefined> {
  try {
    return (await resolver(name, 'TXT')).map((chunks) => [chunks].flat().join(''))
  } catch (fault) {
    return isAbsent(fault) ? [] : undefined
  }
}

/** Whether DNS said for sure that there is no such record. */
export const isAbsent = (fault: unknown): boolean =>
  ['ENOTFOUND', 'ENODATA'].includes(String((fault as { code?: unknown } | undefined)?.code))
