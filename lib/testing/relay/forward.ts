import { generateKeyPairSync } from 'node:crypto'
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import { type DkimKey, signFields } from '#lib/relay/dkim/sign'
import { rewriteForward } from '#lib/relay/forward/rewrite-forward'
import { checkHead, loopMark, makeReceived } from '#lib/relay/message/head'
import { type Spooled, spool, spoolSizes } from '#lib/relay/message/spool'
import { readFields, writeFields } from '#lib/relay/mime/header-fields'

/** The fixed values of an example message that passes every check of forwarding. */
export const relayDomain = 'relay.example'
export const alias = `kx7m2p9qrstv@${relayDomain}`
export const reverse = `r-abcdefgh23456789jkmn@${relayDomain}`
const now = new Date('2026-11-20T04:05:06Z')
const mark = loopMark(Buffer.alloc(32, 7), alias)

/** Maps a Message-ID that the relay gave out to the original one of the person's message. */
export const knownIds = new Map([['<q7w2e9r4@relay.example>', '<CAF=original.1@mail.person.example>']])

export const received = makeReceived({
  helo: 'mx.acme.example',
  address: '192.0.2.25',
  by: relayDomain,
  protocol: 'ESMTPS',
  id: '5f0c1d2e',
  alias,
  now,
})

/** Returns the rewritten header block. Throws if the checks reject the original. */
export function rewriteHead(head: Buffer) {
  const fields = readFields(head)
  const verdict = checkHead(fields, mark)
  if (verdict.kind !== 'sound') throw new Error(`The head of the example is refused: ${verdict.kind}`)
  return rewriteForward(fields, {
    from: verdict.from,
    appName: 'Acme',
    reverse,
    alias,
    authority: relayDomain,
    received,
    loopMark: mark,
    mapMessageId: (id) => knownIds.get(id),
  })
}

export async function spoolWhole(message: Buffer | Readable): Promise<Spooled> {
  const source = Buffer.isBuffer(message) ? Readable.from([message]) : message
  const spooled = await spool(source, { ...spoolSizes, folder: tmpdir() })
  if (spooled.kind !== 'spooled') throw new Error(`The example is refused: ${spooled.kind}`)
  return spooled
}

/** Returns the forwarded message as a stream. */
export async function forward(spooled: Spooled, keys: DkimKey[]): Promise<Readable> {
  const fields = rewriteHead(spooled.head)
  const signatures = await signFields(fields, { domain: relayDomain, keys, dkimBodyHash: spooled.dkimBodyHash, now })
  return spooled.withHead(writeFields([...signatures, ...fields]))
}

/** Creates two DKIM keys of the relay, and the TXT records that publish them. */
export function makeDkimKeys(): { keys: DkimKey[]; records: Map<string, string> } {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const ed25519 = generateKeyPairSync('ed25519')
  const rsaPublic = rsa.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  const ed25519Public = ed25519.publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64')
  return {
    keys: [
      { selector: 'rsa1', privateKey: rsa.privateKey },
      { selector: 'ed1', privateKey: ed25519.privateKey },
    ],
    records: new Map([
      [`rsa1._domainkey.${relayDomain}`, `v=DKIM1; k=rsa; p=${rsaPublic}`],
      [`ed1._domainkey.${relayDomain}`, `v=DKIM1; k=ed25519; p=${ed25519Public}`],
    ]),
  }
}
