import { existsSync } from 'node:fs'
import { openDatabase } from '#lib/db/engine/client'
import { readMigrationState } from '#lib/db/engine/migration-state'
import { mailKeyStore } from '#lib/db/relay/mail-key-store'
import { type DkimRecord, dkimRecord, findDkimRecord } from '#lib/relay/dkim/dkim-record'
import { guessSite, type RelayDns, relayDnsRecords } from '#lib/relay/dns/dns-records'
import { type DnsAnswer, findTexts, isAbsent, type Resolver } from '#lib/relay/dns/resolver'
import type { DnsRecord } from '#lib/relay/sender-domains/mail-domain'
import type { Config } from '#lib/server/settings/config'
import { type Finding, ok, warning, wrong } from './check.ts'
import { zoneLine } from './dns-text.ts'

/**
 * Checks the DNS records that the relay's domain needs to receive mail and to pass SPF, DKIM and DMARC (relay §8).
 * Skips an evaluation, which needs none.
 */
export async function checkRelayDns(config: Config, resolver: Resolver): Promise<Finding[]> {
  if (config.evaluation || !config.roles.includes('relay')) return []
  const domain = config.relayDomain
  const site = guessSite(domain, config.smtpUrl)
  const hosts = await mailHosts(domain, resolver)
  const dns = relayDnsRecords(hosts?.[0] ? { ...site, hosts } : site, [])
  const simple = [checkSpf, checkDmarc].map((check) => check(domain, resolver, dns.records))
  const others = [...(await Promise.all(simple)), await checkSts(domain, resolver, dns)]
  return [checkMx(domain, hosts, dns.records), ...others, ...(await checkKeys(config, resolver))]
}

type Records = RelayDns['records']

/**
 * Returns the mail servers of the domain, the preferred one first. The list is empty without an MX record and for a
 * null MX (RFC 7505); undefined means that DNS did not answer.
 */
async function mailHosts(domain: string, resolver: Resolver): Promise<string[] | undefined> {
  const answer: DnsAnswer | undefined = await resolver(domain, 'MX').catch((fault: unknown) =>
    isAbsent(fault) ? [] : undefined,
  )
  const found = answer as { exchange: string; priority: number }[] | undefined
  const hosts = found?.toSorted((a, b) => a.priority - b.priority).map(({ exchange }) => exchange)
  return hosts?.filter((host) => host !== '' && host !== '.')
}

/** Returns the records as lines of a zone file, with the hosts and senders that the settings imply. */
const publish = (records: DnsRecord[]) =>
  ['Publish this record (all of them, for your own hosts, and why: cli relay dns):', ...records.map(zoneLine)].join(
    '\n',
  )

/** Returns advice to replace the existing record. With a second record of this kind, receivers ignore both. */
const instead = (records: DnsRecord[], value: string) =>
  `Instead of what is there: ${publish(records.map((record) => ({ ...record, value })))}`

const of = (records: Records, wanted: Records[number]['purpose']) => records.filter(({ purpose }) => purpose === wanted)

const silent = (name: string, records: DnsRecord[]) =>
  warning(
    name,
    'DNS does not answer now.',
    `Check the name servers of this machine and of the domain.\n${publish(records)}`,
  )

function checkMx(domain: string, hosts: string[] | undefined, records: Records): Finding {
  const name = 'relay MX'
  const wanted = of(records, 'mx')
  if (!hosts) return silent(name, wanted)
  if (hosts.length === 0) return wrong(name, `${domain} has no MX record, so no mail comes.`, publish(wanted))
  return ok(name, `mail for ${domain} goes to ${hosts.join(', ')}.`)
}

async function checkSpf(domain: string, resolver: Resolver, records: Records): Promise<Finding> {
  const name = 'relay SPF'
  const wanted = of(records, 'spf')
  const texts = await findTexts(resolver, domain)
  if (!texts) return silent(name, wanted)
  const [record, ...more] = texts.filter((text) => /^v=spf1( |$)/i.test(text))
  if (record === undefined) return wrong(name, `${domain} has no SPF record.`, publish(wanted))
  if (more.length > 0)
    return wrong(
      name,
      `${domain} has ${more.length + 1} SPF records, so none counts.`,
      'Leave one that names every sender.',
    )
  if (/ -all$/i.test(record.trimEnd())) return ok(name, `${domain} publishes ${record}`)
  const ended = `${record.replace(/\s*[-+~?]?all\s*$/i, '')} -all`
  return warning(name, `${domain} does not end with -all: ${record}`, instead(wanted, ended))
}

async function checkDmarc(domain: string, resolver: Resolver, records: Records): Promise<Finding> {
  const name = 'relay DMARC'
  const wanted = of(records, 'dmarc')
  const texts = await findTexts(resolver, `_dmarc.${domain}`)
  if (!texts) return silent(name, wanted)
  const [record, ...more] = texts.filter((text) => /^v\s*=\s*DMARC1\s*(;|$)/.test(text))
  if (record === undefined) return wrong(name, `_dmarc.${domain} has no DMARC record.`, publish(wanted))
  if (more.length > 0)
    return wrong(
      name,
      `_dmarc.${domain} has more than one record, so none counts.`,
      'Leave one that asks for p=reject.',
    )
  // With `pct=0`, a receiver applies the policy to no message (RFC 7489 §6.3); `t=y` marks a test (RFC 9989).
  const isMeant = /;\s*p\s*=\s*reject\s*(;|$)/i.test(record) && !/;\s*(pct\s*=\s*0|t\s*=\s*y)\s*(;|$)/i.test(record)
  if (isMeant) return ok(name, 'asks others to reject what is forged.')
  const firm = record.replace(/;\s*(pct|t)\s*=[^;]*/gi, '').replace(/;\s*p\s*=[^;]*/i, '; p=reject')
  return warning(name, `_dmarc.${domain} does not ask for p=reject: ${record}`, instead(wanted, firm))
}

async function checkSts(domain: string, resolver: Resolver, { records, policy }: RelayDns): Promise<Finding> {
  const name = 'relay MTA-STS'
  const wanted = of(records, 'mta-sts')
  const texts = await findTexts(resolver, `_mta-sts.${domain}`)
  if (!texts) return silent(name, wanted)
  if (texts.some((text) => text.startsWith('v=STSv1'))) return ok(name, 'is announced.')
  const first = [`First ${policy.url} has to answer:`, ...policy.content.trim().split('\r\n')]
  return { ...ok(name, 'is not announced; it is optional.'), fix: [...first, publish(wanted)].join('\n') }
}

async function checkKeys(config: Config, resolver: Resolver): Promise<Finding[]> {
  const keys = await storedKeys(config)
  if (!keys) return []
  if (keys.length === 0)
    return [warning('relay DKIM', 'no key is stored yet.', 'The first start makes a pair, or: cli relay dns')]
  return Promise.all(keys.filter(({ state }) => state !== 'retired').map((key) => checkKey(key, resolver)))
}

/**
 * Returns the stored DKIM keys; undefined if the database cannot be read or has pending migrations, which the
 * database check reports.
 */
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
      return silent(name, [record])
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
