import type { DnsAnswer, Resolver } from '#lib/relay/dns/resolver'

/**
 * DNS answers by type and name: `{ 'TXT example.org': ['v=spf1 -all'] }`. `trouble` means that the server fails
 * (SERVFAIL).
 */
export type Zone = Record<string, DnsAnswer | 'trouble'>

/** A DNS resolver for tests; `asked` lists every query. */
export function makeDns(zone: Zone): { zone: Zone; resolver: Resolver; asked: string[] } {
  const asked: string[] = []
  const resolver: Resolver = async (name, type) => {
    const question = `${type} ${name.toLowerCase()}`
    asked.push(question)
    const answer = zone[question]
    if (answer === 'trouble') throw fault('ESERVFAIL', question)
    if (answer) return answer
    const exists = Object.keys(zone).some((known) => known.endsWith(` ${name.toLowerCase()}`))
    throw fault(exists ? 'ENODATA' : 'ENOTFOUND', question)
  }
  return { zone, resolver, asked }
}

const fault = (code: string, question: string) => Object.assign(new Error(`${code}: ${question}`), { code })
