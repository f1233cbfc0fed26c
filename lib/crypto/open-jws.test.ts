import { constants, generateKeyPairSync, sign } from 'node:crypto'
import { expect, it } from 'vitest'
import { openJws } from './open-jws.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
const content = 'e30.e30'
const withSignature = (bytes: Buffer) => `${content}.${bytes.toString('base64url')}`

/** Returns a signature that begins with a zero byte: each has a new salt, and one in 256 begins so. */
function signatureThatBeginsWithZero(): Buffer {
  for (;;) {
    const signature = sign('sha256', Buffer.from(content), { key: privateKey, ...padding })
    if (signature[0] === 0) return signature
  }
}

it('refuses a signature for PS256 without its leading zero byte (RFC 8017 §8.1.2)', async () => {
  const signature = signatureThatBeginsWithZero()
  expect(await openJws(withSignature(signature), 'PS256', publicKey)).toEqual(Buffer.from('{}'))
  expect(await openJws(withSignature(signature.subarray(1)), 'PS256', publicKey)).toBeUndefined()
})
