import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

type CreationOptions = { challenge: string; rp: { id: string }; user: { id: string } }
type RequestOptions = { challenge: string; rpId: string }
export type Behaviour = Partial<{ origin: string; rpId: string; verified: boolean; counter: number; synced: boolean }>

/** A software passkey (ES256, attestation "none"), which can also violate the protocol. */
export function makeAuthenticator(origin = 'http://localhost:3001') {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' }) as { x: string; y: string }
  const id = randomBytes(16)
  let [counter, userHandle] = [0, '']
  const authenticatorData = (rpId: string, attested: boolean, behaviour: Behaviour) => {
    const { verified = true, synced = false } = behaviour
    const flags = 1 | (verified ? 4 : 0) | (synced ? 0x18 : 0) | (attested ? 0x40 : 0)
    const head = Buffer.alloc(37)
    sha256(behaviour.rpId ?? rpId).copy(head)
    head[32] = flags
    head.writeUInt32BE(behaviour.counter ?? counter, 33)
    if (!attested) return head
    const length = Buffer.from([0, id.length])
    return Buffer.concat([head, Buffer.alloc(16), length, id, cosePublicKey(x, y)])
  }
  const clientData = (type: string, challenge: string, behaviour: Behaviour) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: behaviour.origin ?? origin, crossOrigin: false }))
  const credential = (response: object) =>
    JSON.stringify({ id: base64(id), rawId: base64(id), type: 'public-key', clientExtensionResults: {}, response })
  return {
    id: base64(id),
    /** Returns the result of `navigator.credentials.create`. */
    create({ challenge, rp, user }: CreationOptions, behaviour: Behaviour = {}): string {
      userHandle = user.id
      const data = authenticatorData(rp.id, true, behaviour)
      const attestationObject = Buffer.concat([
        Buffer.from([0xa3]),
        text('fmt'),
        text('none'),
        text('attStmt'),
        Buffer.from([0xa0]),
        text('authData'),
        bytes(data),
      ])
      const clientDataJSON = base64(clientData('webauthn.create', challenge, behaviour))
      return credential({ clientDataJSON, attestationObject: base64(attestationObject), transports: ['internal'] })
    },
    /** Returns the result of `navigator.credentials.get`. */
    get({ challenge, rpId }: RequestOptions, behaviour: Behaviour = {}): string {
      counter += 1
      const data = authenticatorData(rpId, false, behaviour)
      const client = clientData('webauthn.get', challenge, behaviour)
      const signature = sign('sha256', Buffer.concat([data, createHash('sha256').update(client).digest()]), privateKey)
      return credential({
        clientDataJSON: base64(client),
        authenticatorData: base64(data),
        signature: base64(signature),
        userHandle,
      })
    },
  }
}

const sha256 = (value: string) => createHash('sha256').update(value).digest()
const base64 = (value: Uint8Array) => Buffer.from(value).toString('base64url')

/** CBOR (RFC 8949) of the few types in use: short texts, and byte strings up to 64 KiB. */
const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])
const bytes = (value: Buffer) => Buffer.concat([Buffer.from([0x59, value.length >> 8, value.length & 255]), value])

/** An EC2 key for ES256 (RFC 9053 §7.1.1): {1: 2, 3: -7, -1: 1, -2: x, -3: y}. */
const cosePublicKey = (x: string, y: string) =>
  Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
