import PostalMime from 'postal-mime'
import type { Arrived } from '#lib/testing/relay/mail-server'

/**
 * Returns every way to read a message, in lower case and as one text: its bytes, its envelope, the result of an
 * independent parser, and all of these with percent signs and entities decoded.
 */
export async function readingsOf({ from, to, raw }: Arrived): Promise<string> {
  const bytes = raw.toString('latin1')
  const parsed = await PostalMime.parse(raw)
  const parts = parsed.attachments.map(({ content }) => Buffer.from(content as ArrayBuffer).toString('latin1'))
  const known = [from, ...to, bytes, parsed.text ?? '', parsed.html ?? '', JSON.stringify(parsed), ...parts]
  // Decodes quoted-printable (soft line breaks and hex) and everything that looks like base64.
  const unfolded = bytes.replace(/=\r\n/g, '').replace(/=([0-9a-f]{2})/gi, fromHex)
  const inner = (bytes.match(/[A-Za-z0-9+/\r\n]{16,}={0,2}/g) ?? []).map((run) => Buffer.from(run, 'base64').toString())
  const all = [...known, unfolded, ...inner].join('\n')
  const plain = all
    .replace(/%([0-9a-f]{2})/gi, fromHex)
    .replace(/&#x([0-9a-f]{1,4});/gi, fromHex)
    .replace(/&#(\d{1,5});/g, (_, code) => String.fromCharCode(Number(code)))
  return `${all}\n${plain}`.toLowerCase()
}

const fromHex = (_: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))
