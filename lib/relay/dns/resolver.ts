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

/**
 * A resolver for one message: the same question is asked once, and there are only so many questions and so much time,
 * because whoever writes the message chooses the names. Beyond that every answer is trouble.
 */
export function limitResolver(resolver: Resolver, { questions, milliseconds }: ResolverLimits): Resolver {
  const asked = new Map<string, Promise<DnsAnswer>>()
  const late = expiry(milliseconds)
  return (name, type) => {
    const key = `${type} ${name.toLowerCase()}`
    const known = asked.get(key)
    if (known !== undefined) return known.then(copy)
    if (asked.size >= questions) return Promise.reject(trouble('too many DNS questions'))
    const answer = Promise.race([resolver(name, type), late])
    asked.set(key, answer)
    return answer.then(copy)
  }
}

export type ResolverLimits = { questions: number; milliseconds: number }

/** Those who ask sort their answers in place. */
const copy = (answer: DnsAnswer) => answer.slice() as DnsAnswer

function expiry(milliseconds: number): Promise<never> {
  const signal = AbortSignal.timeout(milliseconds)
  const expired = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(trouble('DNS took too long')), { once: true })
  })
  // It may come when nobody is waiting any more.
  expired.catch(() => undefined)
  return expired
}

const trouble = (what: string) => Object.assign(new Error(what), { code: 'ETIMEOUT' })
