import { Resolver as Servers } from 'node:dns/promises'

/**
 * Looks up records of a type. Rejects with ENOTFOUND or ENODATA when there are none; any other rejection is a failed
 * look-up.
 */
export type Resolver = (name: string, type: string) => Promise<DnsAnswer>

export type DnsAnswer = string[] | string[][] | { exchange: string; priority: number }[]

/**
 * Returns a resolver that asks the DNS servers of this machine: two tries, the first of four seconds, the second
 * longer.
 */
export function openResolver(): Resolver {
  const servers = new Servers({ timeout: 4000, tries: 2 })
  return async (name, type) => (await servers.resolve(name, type)) as DnsAnswer
}

/** Returns the TXT records of a name, each joined into one string; undefined when the look-up failed. */
export async function findTexts(resolver: Resolver, name: string): Promise<string[] | undefined> {
  try {
    return (await resolver(name, 'TXT')).map((chunks) => [chunks].flat().join(''))
  } catch (fault) {
    return isAbsent(fault) ? [] : undefined
  }
}

/** Returns whether DNS answered that there is no such record. */
export const isAbsent = (fault: unknown): boolean =>
  ['ENOTFOUND', 'ENODATA'].includes(String((fault as { code?: unknown } | undefined)?.code))

/**
 * Returns a resolver for one message that asks each question once and limits questions and time, because the sender
 * of a message chooses the names. Beyond the limits every look-up fails.
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

/** Copies a cached answer, because callers sort it in place. */
const copy = (answer: DnsAnswer) => answer.slice() as DnsAnswer

function expiry(milliseconds: number): Promise<never> {
  const signal = AbortSignal.timeout(milliseconds)
  const expired = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(trouble('DNS took too long')), { once: true })
  })
  // The timeout may fire when no look-up is pending.
  expired.catch(() => undefined)
  return expired
}

const trouble = (what: string) => Object.assign(new Error(what), { code: 'ETIMEOUT' })
