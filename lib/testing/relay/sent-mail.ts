import { generateKeyPairSync } from 'node:crypto'
import { Readable } from 'node:stream'
import { dkimSign } from 'mailauth/lib/dkim/sign.js'
import { RelaxedBodyHash } from '#lib/relay/message/inspect-message'
import { endOfHead } from '#lib/relay/mime/header-fields'
import type { SentMail } from '#lib/relay/sender/sender-check'
import type { Zone } from './zone.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})

/** Returns the DNS records of the DKIM key that signs every message of `sentMail` for these domains. */
export const signedBy = (...domains: string[]): Zone =>
  Object.fromEntries(
    domains.map((domain) => [`TXT s1._domainkey.${domain}`, [`v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`]]),
  )

export type Sending = {
  from?: string
  sender?: string
  ip?: string
  helo?: string
  /** The domains that sign the message, in order. */
  signed?: string[]
  body?: string
  /** Changes the message after signing. */
  tamper?: (text: string) => string
  canonicalization?: 'relaxed/relaxed' | 'simple/simple' | 'relaxed/simple'
  /** The number of body bytes that are signed; all by default. */
  signedBytes?: number
}

/** Returns a message of an app as the relay receives it, by default from 192.0.2.1. */
export async function sentMail({ from = 'hello@acme.example', signed = [], ...rest }: Sending = {}): Promise<SentMail> {
  const {
    sender = from,
    ip = '192.0.2.1',
    helo = 'mail.acme.example',
    body = 'Good day.\r\n',
    canonicalization = 'relaxed/relaxed',
  } = rest
  const text = `From: Acme <${from}>\r\nTo: abc@relay.example\r\nSubject: Hello\r\nDate: Fri, 20 Nov 2026 10:00:00 +0000\r\n\r\n${body}`
  const limit = rest.signedBytes === undefined ? {} : { maxBodyLength: rest.signedBytes }
  const signatureData = signed.map((signingDomain) => ({ signingDomain, selector: 's1', privateKey, ...limit }))
  const { signatures } = await dkimSign(text, { signatureData, canonicalization } as never)
  return arrived({ author: from, sender, client: { ip, helo } }, (rest.tamper ?? same)(signatures + text))
}

/** Returns a received message with this text. */
export function arrived(how: Omit<SentMail, 'message'>, text: string): SentMail {
  const raw = Buffer.from(text, 'latin1')
  const end = endOfHead(raw) ?? raw.length
  const body = raw.subarray(end)
  const relaxed = new RelaxedBodyHash()
  relaxed.update(body)
  const message = { head: raw.subarray(0, end), dkimBodyHash: relaxed.digest(), body: () => Readable.from([body]) }
  return { ...how, message }
}

const same = (text: string) => text
