import { type Answer, type Call, type Command, Refusal } from '#lib/cli/command'
import { dnsText } from '#lib/cli/doctor/dns-text'
import { withDatabase } from '#lib/cli/open'
import { table } from '#lib/cli/table'
import { mailKeyStore } from '#lib/db/relay/mail-key-store'
import { deletionJournal } from '#lib/db/restore/deletion-journal'
import { readMasterKeys } from '#lib/keys/master-keys'
import { type DkimRecord, dkimRecord } from '#lib/relay/dkim/dkim-record'
import { type Promotion, promoteMailKeys, replaceMailKeys, rotateMailKeys } from '#lib/relay/dkim/rotate-mail-keys'
import type { MailKeyNeeds } from '#lib/relay/dkim/store'
import { guessSite, type RelaySite, relayDnsRecords } from '#lib/relay/dns/dns-records'
import type { Config } from '#lib/server/settings/config'

/** Commands for the mail relay (Hide My Email). */
export const relayCommands: Command[] = [
  {
    usage: 'relay dns',
    summary:
      'Print every DNS record to publish; --mx names the host that takes mail, --spf who sends (ip4:… include:…)',
    options: { mx: { type: 'string' }, spf: { type: 'string' } },
    run: (call) =>
      withMailKeys(call, async ({ config, list }) => {
        const site = readSite(call, config)
        if (config.evaluation) call.say('An evaluation works without any of these.')
        const { records, policy } = relayDnsRecords(site, await list())
        const value = { domain: site.domain, records, mta_sts_policy: policy }
        return { ok: true, value, text: dnsText({ records, policy }) }
      }),
  },
  {
    usage: 'relay keys',
    summary: 'List the keys mail is signed with; a next pair signs as soon as its DNS records are found',
    run: (call) => withMailKeys(call, showKeys),
  },
  {
    usage: 'relay rotate',
    summary:
      'Make the next pair of keys; it signs as soon as its DNS records are found; --leaked also replaces a pair that waits',
    options: { leaked: { type: 'boolean' } },
    run: (call) =>
      withMailKeys(call, (open) => (call.flags.leaked === true ? replace(call, open) : rotate(call, open))),
  },
]

type Open = {
  config: Config
  needs: MailKeyNeeds
  /** Returns the stored keys; creates the first pair if there is none. */
  list(): Promise<DkimRecord[]>
  promote(): Promise<Promotion>
}

function withMailKeys(call: Call, run: (open: Open) => Promise<Answer>): Promise<Answer> {
  return withDatabase(call, ({ prisma }, config) => {
    const store = mailKeyStore(prisma)
    const needs = { store, secrets: readMasterKeys(config), now: () => call.now }
    const { relayDomain: domain, evaluation } = config
    const list = async () => {
      if ((await store.listMailKeys()).length === 0) await rotateMailKeys(needs)
      return (await store.listMailKeys()).map((key) => dkimRecord(key, domain))
    }
    const promote = () => promoteMailKeys(needs, { domain, evaluation, resolver: call.resolver })
    return run({ config, needs, list, promote })
  })
}

async function rotate(call: Call, open: Open): Promise<Answer> {
  const outcome = await rotateMailKeys(open.needs)
  if (outcome === 'one is waiting') call.say('A next pair is waiting already; no other was made.')
  return showKeys(open)
}

/** Makes the next pair, and lists the present ones in the journal, so that a restore does not bring them back. */
async function replace(call: Call, open: Open): Promise<Answer> {
  const journal = deletionJournal(open.config.deletionJournal)
  for (const { selector } of await open.list()) journal({ at: call.now.toISOString(), leakedKey: selector })
  await replaceMailKeys(open.needs)
  return showKeys(open)
}

async function showKeys({ list, promote }: Open): Promise<Answer> {
  const outcome = await promote()
  const keys = await list()
  const found = new Map(
    outcome.state === 'waits' ? outcome.records.map(({ name, published }) => [name, published]) : [],
  )
  const rows = keys.map(({ selector, state, name, keepUntil }) => [
    selector,
    state,
    found.has(name) ? `DNS: ${found.get(name)}` : keepUntil ? `until ${keepUntil.toISOString().slice(0, 10)}` : '',
  ])
  const value = keys.map(({ selector, algorithm, state, name, value: content, keepUntil }) => {
    const dns = { name, type: 'TXT', value: content }
    return { selector, algorithm, state, dns, published: found.get(name), keep_until: keepUntil }
  })
  const text = [table(['selector', 'state', ''], rows), ...closing(outcome)].join('\n')
  return { ok: true, value: { keys: value, promoted: outcome.state === 'promoted' }, text }
}

function closing({ state }: Promotion): string[] {
  switch (state) {
    case 'nothing waits':
      return []
    case 'promoted':
      return ['The next pair signs from now on. The records of the pair before stay until it is no longer listed.']
    case 'waits':
      return ['The next pair signs once both its records are found. They are printed by: cli relay dns']
  }
}

/**
 * Returns the hosts that receive and send the domain's mail. Options take precedence, because the hosts derived from
 * the settings are a guess.
 */
function readSite({ flags }: Call, { relayDomain: domain, smtpUrl }: Config): RelaySite {
  const guess = guessSite(domain, smtpUrl)
  const host = String(flags.mx ?? guess.hosts[0]).replace(/\.$/, '')
  if (!/^(?=.{1,253}$)[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(host)) throw new Refusal('--mx must be a host name.')
  const senders = String(flags.spf ?? guess.senders).trim()
  if (!/^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(senders) || /v=spf1|all\b/i.test(senders))
    throw new Refusal(
      '--spf must be the terms between v=spf1 and -all, such as: ip4:203.0.113.5 include:spf.example.net',
    )
  return { domain, hosts: [host.toLowerCase()], senders }
}
