import { existsSync } from 'node:fs'
import type { Config } from '../config.ts'
import { openDatabase } from '../db/client.ts'
import { mailKeyStore } from '../db/mail-key-store.ts'
import { readMigrationState } from '../db/migration-state.ts'
import { type DnsAnswer, findTexts, isAbsent, type Resolver } from '../dns.ts'
import { type DkimRecord, dkimRecord, findDkimRecord } from '../keys/dkim-record.ts'
import { guessSite, type RelayDns, relayDnsRecords } from '../relay/sender/dns-records.ts'
import type { DnsRecord } from '../relay/sender/mail-domain.ts'
import { type Finding, ok, warning, wrong } from './check.ts'
import { zoneLine } from './dns-text.ts'

/** Whether DNS has what the relay's domain needs to receive mail and to be believed (relay §8); an evaluation needs none. */
export async function checkRelayDns(config: Config, resolver: Resolver): Promise<Finding[]> {
  if (config.evaluation || !config.roles.includes('relay')) return []
  const domain = config.relayDomain
  const { records } = relayDnsRecords(guessSite(domain, config.smtpUrl), [])
  const simple = [checkMx, checkSpf, checkDmarc, checkSts].map((check) => check(domain, resolver, records))
  return [...(await Promise.all(simple)), ...(await checkKeys(config, resolver))]
}

type Records = RelayDns['records']

/** What to publish, as a zone file has it; hosts and senders are as far as the settings tell. */
const publish = (records: DnsRecord[]) =>
  ['Publish this record (all of them, for your own hosts, and why: cli relay dns):', ...records.map(zoneLine)].join(
    '\n',
  )

const of = (records: Records, wanted: Records[number]['purpose']) => records.filter(({ purpose }) => purpose === wanted)

const silent = (name: string) =>
  warning(name, 'DNS does not answer now.', 'Check the name servers of this machine and of the domain.')

async function checkMx(domain: string, resolver: Resolver, records: Records): Promise<Finding> {
  const name = 'relay MX'
  const answer: DnsAnswer | undefined = await resolver(domain, 'MX').catch((fault: unknown) =>
    isAbsent(fault) ? [] : undefined,
  )
  if (!answer) return silent(name)
  const hosts = (answer as { exchange: string }[]).map(({ exchange }) => exchange).filter((host) => host !== '')
  if (hosts.length === 0)
    return wrong(name, `${domain} has no MX record, so no mail comes.`, publish(of(records, 'mx')))
  return ok(name, `mail for ${domain} goes to ${hosts.join(', ')}.`)
}

async function checkSpf(domain: string, resolver: Resolver, records: Records): Promise<Finding> {
  const name = 'relay SPF'
  const texts = await findTexts(resolver, domain)
  if (!texts) return silent(name)
  const [record, ...more] = texts.filter((text) => /^v=spf1( |$)/i.test(text))
  if (record === undefined) return wrong(name, `${domain} has no SPF record.`, publish(of(records, 'spf')))
  if (more.length > 0) return wrong(name, `${domain} has ${more.length + 1} SPF records, so none counts.`, 'Leave one.')
  if (/ -all$/i.test(record.trimEnd())) return ok(name, `${domain} publishes ${record}`)
  return warning(name, `${domain} does not end with -all: ${record}`, 'Name every sender, and end with -all.')
}

async function checkDmarc(domain: string, resolver: Resolver, records: Records): Promise<Finding> {
  const name = 'relay DMARC'
  const texts = await findTexts(resolver, `_dmarc.${domain}`)
  if (!texts) return silent(name)
  const [record, ...more] = texts.filter((text) => /^v\s*=\s*DMARC1\s*(;|$)/.test(text))
  if (record === undefined) return wrong(name, `_dmarc.${domain} has no DMARC record.`, publish(of(records, 'dmarc')))
  if (more.length > 0) return wrong(name, `_dmarc.${domain} has more than one record, so none counts.`, 'Leave one.')
  if (/;\s*p\s*=\s*reject\s*(;|$)/i.test(record)) return ok(name, 'asks others to reject what is forged.')
  return warning(name, `_dmarc.${domain} does not ask for p=reject: ${record}`, publish(of(records, 'dmarc')))
}

async function checkSts(domain: string, resolver: Resolver, records: Records): Promise<Finding> {
  const name = 'relay MTA-STS'
  const texts = await findTexts(resolver, `_mta-sts.${domain}`)
  if (!texts) return silent(name)
  if (texts.some((text) => text.startsWith('v=STSv1'))) return ok(name, 'is announced.')
  return {
    ...ok(name, 'is not announced; it is optional, and needs a policy on the web.'),
    fix: publish(of(records, 'mta-sts')),
  }
}

async function checkKeys(config: Config, resolver: Resolver): Promise<Finding[]> {
  const keys = await storedKeys(config)
  if (!keys) return []
  if (keys.length === 0)
    return [warning('relay DKIM', 'no key is stored yet.', 'The first start makes a pair, or: cli relay dns')]
  return Promise.all(keys.filter(({ state }) => state !== 'retired').map((key) => checkKey(key, resolver)))
}

/** The keys of a database that is there and of this version; what is wrong with another is said by its own check. */
async function storedKeys({ databaseUrl: url, relayDomain }: Config): Promise<DkimRecord[] | undefined> {
  if (url.startsWith('file:') && !existsSync(url.slice('file:'.length))) return []
  const state = await readMigrationState(url).catch(() => undefined)
  if (!state || state.pending.length > 0) return undefined
  const database = await openDatabase(url)
  try {
    return (await mailKeyStore(database.prisma).listMailKeys()).map((key) => dkimRecord(key, relayDomain))
  } finally {
    await database.close()
  }
}

async function checkKey(key: DkimRecord, resolver: Resolver): Promise<Finding> {
  const name = `relay DKIM ${key.selector}`
  const published = await findDkimRecord(resolver, key)
  const isNext = key.state === 'next'
  const record = { name: key.name, type: 'TXT' as const, value: key.value }
  switch (published) {
    case 'trouble':
      return silent(name)
    case 'found':
      return ok(name, isNext ? 'is published; the next pair signs soon.' : 'is published.')
    case 'missing':
      return isNext
        ? warning(name, `${key.name} is not there yet, so the next pair waits.`, publish([record]))
        : wrong(name, `${key.name} is not there, so signatures fail.`, publish([record]))
    case 'different':
      return wrong(name, `${key.name} has another key, or more than one record.`, publish([record]))
  }
}
