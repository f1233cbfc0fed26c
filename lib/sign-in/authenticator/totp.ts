import { createHmac, timingSafeEqual } from 'node:crypto'

/** Returns the six digits of a time step (RFC 6238 §4, RFC 4226 §5.3). */
export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) as number) & 15
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0')
}

/** Returns the time step of a code: the present one or a neighbour, which allows for clock drift (RFC 6238 §5.2). */
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

/** Removes the spaces of grouped codes and folds the full-width digits of some keyboards. */
export const digitsOf = (typed: string) => typed.normalize('NFKC').replace(/[\s-]/g, '')

/** The bytes of a secret: as many as the hash has (RFC 4226 §4). */
export const totpSecretBytes = 20

/** Returns the `otpauth` address for the QR code. */
export function totpAddress(secret: Uint8Array, { service, username }: { service: string; username: string }): string {
  const label = `${encodeURIComponent(service)}:${encodeURIComponent(username)}`
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(service)}`
}

/** Returns the secret in groups of four characters, for typing. */
export const totpKey = (secret: Uint8Array): string => (base32(secret).match(/.{1,4}/g) ?? []).join(' ')

/** Encodes in base32 without padding, which 20 bytes do not need (RFC 4648 §6). */
function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{5}/g) ?? [])
    .map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five, 2)])
    .join('')
}
