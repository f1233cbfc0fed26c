import type { ActivityStore } from '#lib/account/activity/activity'
import type { AliasStore, RelayTest } from '#lib/account/hide-my-email/store'
import { textsOf } from '#lib/brand/brand-texts'
import { openSealed, sealBytes } from '#lib/crypto/seal'
import { aliasStore } from '#lib/db/account/alias-store'
import { statementsOf } from '#lib/db/engine/statements'
import { mailDomainStore } from '#lib/db/relay/mail-domain-store'
import { mailKeyStore } from '#lib/db/relay/mail-key-store'
import { relayStore } from '#lib/db/relay/relay-store'
import { type MailKeys, openMailKeys } from '#lib/relay/dkim/mail-keys'
import { sendTest } from '#lib/relay/forward/send-test'
import { type NextHop, openNextHop } from '#lib/relay/outbound/next-hop'
import { aliasAddress, makeAliasName } from '#lib/relay/recipient/local-part'
import type { Relay, RelayEvents } from '#lib/relay/relay'
import { chooseAmong } from '#lib/text/messages'
import type { RecordFailure } from './failures.ts'
import type { Parts } from './parts.ts'

type Base = Parts & { activity: ActivityStore; record: RecordFailure }

/** Composes the store of relay addresses, which makes their random names. */
export const composeAliases = ({
  config,
  database,
  random,
}: Pick<Parts, 'config' | 'database' | 'random'>): AliasStore =>
  aliasStore(statementsOf(database), {
    makeName: () => makeAliasName(random),
    addressOf: (name) => aliasAddress(name, config.relayDomain),
  })

/** Composes the relay; `nextHopUrl` is the mail server that it sends messages to. */
export function composeRelay(base: Base, nextHopUrl: string | undefined): Relay {
  const { config, database, attempts, secrets, resolver, now, random } = base
  // Opened when the first message is signed, because most processes never sign one. A failure is not cached.
  let keys: Promise<MailKeys> | undefined
  const mailKeys = () => {
    keys ??= openMailKeys({ store: mailKeyStore(database.prisma), secrets, now }).catch((fault: unknown) => {
      keys = undefined
      throw fault
    })
    return keys
  }
  const domains = mailDomainStore(database.prisma)
  return {
    domain: config.relayDomain,
    evaluation: config.evaluation,
    store: relayStore(database, attempts, base.usage.count),
    nextHop: nextHopUrl === undefined ? nowhere : openNextHop(nextHopUrl),
    resolver,
    verifiedDomains: domains.verifiedDomains,
    signingKeys: async () => (await mailKeys()).current(),
    keys: {
      token: secrets.all('relay-token') as Relay['keys']['token'],
      mark: secrets.all('relay-mark') as Relay['keys']['mark'],
      print: secrets.all('relay-print') as Relay['keys']['print'],
    },
    seal: (text) => sealBytes(secrets.current('relay-thread'), Buffer.from(text)),
    open: (sealed) => {
      const opened = openSealed(secrets.all('relay-thread'), sealed)
      return opened && Buffer.from(opened).toString()
    },
    operator: config.operatorEmail,
    now,
    random,
    events: eventsOf(base),
  }
}

/** Composes the sending of a test message, which is in the person's language and names what the address is for. */
export const composeTestMail =
  (relay: Relay, { mailFrom, serviceName, brand, letterLanguages }: Base['config']): RelayTest =>
  (alias) =>
    sendTest(relay, alias, (languages, app) => {
      const { subject, text } = textsOf(brand, chooseAmong(letterLanguages, ...languages)).hideMyEmail.testMail
      const fill = (words: string) => words.replaceAll('{app}', app).replaceAll('{service}', serviceName)
      return { from: mailFrom, subject: fill(subject), text: `${fill(text)}\n` }
    })

/**
 * Takes the place of the mail server without SMTP_URL, and sends nothing. Only a process without pages and relay
 * (ROLES=jobs) may lack SMTP_URL.
 */
const nowhere: NextHop = {
  send: async () => ({ kind: 'later', detail: 'SMTP_URL is not set' }),
  close: async () => undefined,
}

function eventsOf({ log, metrics, activity, record, now }: Base): RelayEvents {
  const note = (personId: string, kind: 'mail_paused' | 'reply_undelivered', detail: Record<string, string>) =>
    activity.record(personId, { at: now(), kind, detail, address: '', device: '' })
  return {
    outcome: (path, outcome) => metrics.relayed.inc({ path, outcome }),
    refused(appId, { code, reason, detail }) {
      log.info({ endpoint: 'relay', client: appId, code, reason }, 'refused')
      record({ appId, endpoint: 'relay', code, reason, detail })
    },
    replyReturned: (personId, about) => note(personId, 'reply_undelivered', about),
    mailPaused: (personId) => note(personId, 'mail_paused', {}),
    fault: (err) => log.error({ err }, 'the relay could not handle a message'),
  }
}
