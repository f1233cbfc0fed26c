import { onTestFinished } from 'vitest'
import type { Timeouts } from '#lib/db/engine/timeouts'
import { openRelay } from '#lib/relay/inbound/server'
import type { Kind } from '#lib/testing/databases/databases'
import { openPostern } from '#lib/testing/process/postern'
import { makeIsAmong } from '#lib/text/network'
import { startMailServer } from './mail-server.ts'
import { sendMessage } from './speak-smtp.ts'
import type { Zone } from './zone.ts'

/** DNS records of two domains that authorize 127.0.0.1 to send their mail. */
const zone: Zone = {
  'TXT acme.example': [['v=spf1 ip4:127.0.0.1 -all']],
  'TXT _dmarc.acme.example': [['v=DMARC1; p=reject']],
  'TXT example.org': [['v=spf1 ip4:127.0.0.1 -all']],
  'TXT _dmarc.example.org': [['v=DMARC1; p=reject']],
}

export const inbox = 'ada@example.org'

/**
 * Opens a relay with production settings: with its own listener, a mail server as next hop, DNS records, and a person
 * who hides an address from an app.
 */
export async function openRelayTest({ kind = 'sqlite', env = {}, timeouts }: RelayOptions = {}) {
  const hop = await startMailServer()
  const names = { ...zone }
  const settings = { ...production, SMTP_URL: hop.url, ...env }
  const postern = await openPostern({ kind, env: settings, zone: names, ...(timeouts && { timeouts }) })
  const { context } = postern
  const listen = { host: '127.0.0.1', port: 0, tls: undefined, isFront: makeIsAmong(context.config.relayFront) }
  const server = await openRelay(context.relay, listen)
  onTestFinished(async () => {
    await server.close()
    await postern.close()
    await hop.close()
  })
  const alias = await hide(postern, 'acme-web')
  return {
    ...postern,
    hop,
    /** The DNS records, which a test can change. */
    zone: names,
    server,
    alias,
    prisma: context.database.prisma,
    hide: (appId: string) => hide(postern, appId),
    /** Sends a message of an app to an address of the relay. Returns the reply. */
    send: (given: Partial<Parameters<typeof sendMessage>[1]> = {}) =>
      sendMessage(server.port, { from: 'news@acme.example', to: alias, message: appMessage(alias), ...given }),
  }
}

type RelayOptions = { kind?: Kind; env?: object; timeouts?: Timeouts }

/** The settings of a public installation, which gives clients on loopback no privileges. */
const production = {
  ISSUER: 'https://id.example.net',
  ACCOUNT_URL: 'https://account.example.net',
  RELAY_DOMAIN: 'relay.example.net',
  OPERATOR_EMAIL: 'ops@example.net',
}

async function hide({ context, approve }: Awaited<ReturnType<typeof openPostern>>, clientId: string): Promise<string> {
  const person = await context.database.prisma.person.findUniqueOrThrow({ where: { username: 'ada' } })
  const address = await context.aliases.ensureAddress(person.id, clientId, context.now())
  await approve({ clientId, scopes: ['openid', 'name', 'email'], emailChoice: 'hidden' })
  return address
}

/** Returns a message from Acme to the alias by which it knows a person. */
export const appMessage = (
  alias: string,
  { head = '', body = 'Your order is on its way.\r\n', from = 'News <news@acme.example>' } = {},
) =>
  `From: ${from}\r\nTo: <${alias}>\r\nSubject: Order 7\r\nDate: Fri, 20 Nov 2026 10:00:00 +0000\r\nMessage-ID: <order-7@acme.example>\r\n${head}\r\n${body}`

/** Returns the reply that the person's mail program writes. */
export const personReply = (
  reverse: string,
  { head = '', body = 'Thank you!\r\n', from = `Ada Lovelace <${inbox}>` } = {},
) =>
  `Received: from [192.0.2.77] by mail.example.org\r\nFrom: ${from}\r\nTo: ${reverse}\r\nSubject: Re: Order 7\r\nDate: Fri, 20 Nov 2026 19:00:00 +0900\r\nMessage-ID: <CAF1@mail.example.org>\r\nIn-Reply-To: <order-7@acme.example>\r\nReferences: <order-7@acme.example>\r\nUser-Agent: Mail of Ada\r\n${head}\r\n${body}`

/** Returns a message as text, byte for byte. */
export const rawText = (raw: Buffer | undefined): string => raw?.toString('latin1') ?? ''

/** Returns the value of the first field with that name, unfolded. */
export const fieldOf = (raw: Buffer | undefined, name: string): string | undefined =>
  new RegExp(`^${name}: (.*(?:\r\n[ \t].*)*)`, 'im').exec(rawText(raw))?.[1]?.replace(/\r\n[ \t]+/g, ' ')

/** Returns the reverse address in From of a forwarded message. */
export const reverseOf = (raw: Buffer | undefined): string =>
  /<(r-[a-z2-9]{20}@[^>]+)>/.exec(fieldOf(raw, 'From') ?? '')?.[1] ?? 'none'
