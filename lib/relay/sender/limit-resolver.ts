import type { DnsAnswer, Resolver } from '#lib/relay/dns/resolver'

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
