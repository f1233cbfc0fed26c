import { fingerprintMessage } from '#lib/relay/quote/fingerprint/fingerprint-message'
import { rewriteReply } from '#lib/relay/reply/rewrite/rewrite-reply'
import { aboutReply } from '#lib/testing/relay/reply'
import type { Letter } from './copied-names.ts'

/** The key of the fingerprints in tests. */
export const key = Buffer.alloc(32, 7)
export const alias = aboutReply.alias.split('@')[0] as string

const leaf = (type: string, more: string, bytes: Buffer) =>
  `Content-Type: ${type}\r\n${more}Content-Transfer-Encoding: base64\r\n\r\n${bytes.toString('base64').replace(/.{76}/g, '$&\r\n')}`

/** Returns the MIME fields and the body of a message. */
export function written({ text, subtype = 'plain', files = [] }: Letter): string {
  const words = leaf(`text/${subtype}; charset=utf-8`, '', Buffer.from(text.replaceAll('\n', '\r\n')))
  if (files.length === 0) return words
  const attached = files.map(({ name, type, bytes }) =>
    leaf(type, `Content-Disposition: attachment; filename*=UTF-8''${encodeURIComponent(name)}\r\n`, bytes),
  )
  return `Content-Type: multipart/mixed; boundary="b"\r\n\r\n${[words, ...attached].map((one) => `--b\r\n${one}\r\n`).join('')}--b--\r\n`
}

/** Returns everything that the app sees of a reply from this address, or the reason of its refusal. */
export function outcome(sent: Letter, reply: Letter, address: string): string {
  const raw = Buffer.from(`From: News <news@acme.example>\r\nSubject: Order 7\r\n${written(sent)}`)
  const signed = { ...reply, text: `${reply.text}\n\nAlice Liddell\n${address}\n` }
  const result = rewriteReply(
    Buffer.from(`From: <${address}>\r\nTo: <${aboutReply.reverse}>\r\nSubject: Re: Order 7\r\n${written(signed)}`),
    {
      ...aboutReply,
      hidden: [address],
      sent: [{ key, alias, prints: fingerprintMessage(raw, { key, alias, sender: 'News' }) }],
    },
  )
  return result.kind === 'rewritten' ? result.message.toString('latin1').replaceAll('=\r\n', '') : result.reason
}
