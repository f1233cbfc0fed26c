import type { Context } from './context.ts'
import { failureQueue } from './db/failure-queue.ts'
import { mailDomainStore } from './db/mail-domain-store.ts'
import { mailKeyStore } from './db/mail-key-store.ts'
import { relayStore } from './db/relay-store.ts'
import { type MailKeys, openMailKeys } from './keys/mail-keys.ts'
import { openSealed, sealBytes } from './keys/seal.ts'
import { sha256 } from './oauth/pkce.ts'
import { sendTest } from './relay/forward/send-test.ts'
import { type NextHop, openNextHop } from './relay/next-hop/next-hop.ts'
import type { Relay, Tell } from './relay/relay.ts'
import type { RelayTest } from './relay/store.ts'
import { chooseLocale } from './web/locales.ts'
import { messagesFor } from './web/messages.ts'

type Base = Pick<
  Context,
  'config' | 'log' | 'metrics' | 'database' | 'secrets' | 'activity' | 'resolver' | 'now' | 'random'
>

/** Gives the relay what it asks for; `nextHopUrl` is the mail server it hands messages to. */
export function composeRelay(base: Base, nextHopUrl: string | undefined): Relay {
  const { config, database, secrets, resolver, now, random } = base
  // Opened when the first message is signed: most processes of a test never do. A failure is not remembered.
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
    store: relayStore(database),
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
    open: async (sealed) => {
      const opened = await openSealed(secrets.all('relay-thread'), sealed)
      return opened && Buffer.from(opened).toString()
    },
    operator: config.operatorEmail,
    now,
    random,
    tell: tellOf(base),
  }
}

/** A test message in the person's language, with who it is for in its words. */
export const composeTestMail =
  (relay: Relay, { mailFrom, serviceName }: Base['config']): RelayTest =>
  (alias) =>
    sendTest(relay, alias, (locale, app) => {
      const { subject, text } = messagesFor(chooseLocale(locale)).hideMyEmail.testMail
      const fill = (words: string) => words.replaceAll('{app}', app).replaceAll('{service}', serviceName)
      return { from: mailFrom, subject: fill(subject), text: `${fill(text)}\n` }
    })

/** A process without a mail server, which has neither pages nor a relay (ROLES=jobs). */
const nowhere: NextHop = {
  send: async () => ({ kind: 'later', detail: 'SMTP_URL is not set' }),
  close: async () => undefined,
}

function tellOf({ log, metrics, database, activity, now }: Base): Tell {
  const record = failureQueue(database.prisma, (err) => log.warn({ err }, 'a refusal could not be recorded'))
  const note = (personId: string, kind: 'mail_paused' | 'reply_undelivered', detail: Record<string, string>) =>
    activity.record(personId, { at: now(), kind, detail, address: '', device: '' })
  return {
    outcome: (path, outcome) => metrics.relayed.inc({ path, outcome }),
    refused(appId, { code, reason, detail }) {
      log.info({ endpoint: 'relay', client: appId, code, reason }, 'refused')
      const id = sha256([appId, 'relay', code, reason].join('\0'))
      record({ id, appId, endpoint: 'relay', code, reason, detail: JSON.stringify(detail), at: now() })
    },
    replyReturned: (personId, app) => note(personId, 'reply_undelivered', { app }),
    mailPaused: (personId) => note(personId, 'mail_paused', {}),
    fault: (err) => log.error({ err }, 'the relay could not handle a message'),
  }
}
