import { createHmac, timingSafeEqual } from 'node:crypto'

/** The six digits of a time step (RFC 6238 §4, RFC 4226 §5.3). */
export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) as number) & 15
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0')
}

/** The step a code belongs to: this one or a neighbour, for clocks that differ a little (RFC 6238 §5.2). */
export function matchTotp(secret: Uint8Array, typed: string, now: Date): number | undefined {
  const code = Buffer.from(digitsOf(typed))
  if (code.length !== 6) return undefined
  const present = stepAt(now)
  const matches = [present, present - 1, present + 1].filter((step) =>
    timingSafeEqual(Buffer.from(totpCode(secret, step)), code),
  )
  return matches[0]
}

const stepAt = (time: Date) => Math.floor(time.getTime() / 30_000)

/** Apps show codes in groups, and some keyboards type full-width digits. */
export const digitsOf = (typed: string) => typed.normalize('NFKC').replace(/[\s-]/g, '')

/** How many bytes a secret has: as many as the hash (RFC 4226 §4). */
export const totpSecretBytes = 20

/** What the QR code says (the authenticator apps' common `otpauth` address). */
export function totpAddress(secret: Uint8Array, { service, username }: { service: string; username: string }): string {
  const label = `${encodeURIComponent(service)}:${encodeURIComponent(username)}`
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(service)}`
}

/** The secret for typing in by hand, in groups of four. */
export const totpKey = (secret: Uint8Array): string => (base32(secret).match(/.{1,4}/g) ?? []).join(' ')

/** RFC 4648 §6; our secrets need no padding. */
function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{5}/g) ?? [])
    .map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five, 2)])
    .join('')
}
