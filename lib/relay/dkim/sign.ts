import { hash, type KeyObject, sign as signBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { fieldValue, type HeaderField } from '#lib/relay/mime/header-fields'

/**
 * Returns one DKIM-Signature field for each key (RFC 6376, RFC 8463). Uses the body hash made on arrival, so signing
 * reads no body. Each signed field name is listed once more than the field occurs (oversigning), so that another
 * field of that name breaks the signature.
 */
export function signFields(fields: HeaderField[], { keys, ...about }: Signing): Promise<HeaderField[]> {
  const signed = coveredFields(fields)
  return Promise.all(keys.map((key) => signOne(signed, key, about)))
}

async function signOne(signed: Covered, { selector, privateKey }: DkimKey, about: Omit<Signing, 'keys'>) {
  const isRsa = privateKey.asymmetricKeyType === 'rsa'
  const unsigned = [
    `DKIM-Signature: v=1; a=${isRsa ? 'rsa' : 'ed25519'}-sha256; c=relaxed/relaxed;`,
    ` d=${about.domain}; s=${selector}; t=${Math.floor(about.now.getTime() / 1000)};`,
    ` h=${fold(signed.names.join(':'), /.{1,70}(?::|$)/g)};`,
    ` bh=${about.dkimBodyHash};`,
    ' b=',
  ].join('\r\n')
  const field = { name: 'dkim-signature', raw: unsigned }
  const text = [...signed.fields.map((one) => `${relaxed(one)}\r\n`), relaxed(field)].join('')
  const signature = await signText(Buffer.from(text, 'latin1'), privateKey, isRsa)
  return { ...field, raw: unsigned + fold(signature.toString('base64'), /.{1,72}/g) }
}

/**
 * Runs off the main thread: an RSA signature takes a millisecond. Ed25519 signs the hash of the text (RFC 8463 §3).
 */
async function signText(text: Buffer, key: KeyObject, isRsa: boolean): Promise<Buffer> {
  if (isRsa) return signAway('sha256', text, key)
  return signAway(null, hash('sha256', text, 'buffer'), key)
}

const signAway = promisify<string | null, Buffer, KeyObject, Buffer>(signBytes)

/** Fields of the same name are signed from the bottom up (RFC 6376 §5.4.2). */
function coveredFields(fields: HeaderField[]): Covered {
  const present = coverable.flatMap((name) => {
    const equal = fields.filter((field) => field.name === name).reverse()
    const isSealed = equal.length > 0 || neverAdded.has(name)
    return [...equal.map((field) => ({ name, field })), ...(isSealed ? [{ name, field: undefined }] : [])]
  })
  return { names: present.map(({ name }) => name), fields: present.flatMap(({ field }) => field ?? []) }
}

const coverable = [
  ...['from', 'reply-to', 'to', 'cc', 'subject', 'date', 'message-id', 'in-reply-to', 'references'],
  ...['mime-version', 'content-type', 'content-transfer-encoding', 'content-disposition', 'content-id'],
  ...['list-id', 'list-unsubscribe', 'list-unsubscribe-post'],
]

// Oversigned even when absent. Date and Message-ID are not listed, because the next mail server may add a missing one.
const neverAdded = new Set(['from', 'reply-to', 'to', 'cc', 'subject'])

/** Canonicalizes a header field (RFC 6376 §3.4.2). */
const relaxed = (field: HeaderField) => `${field.name}:${fieldValue(field).replace(/[ \t]+/g, ' ')}`

const fold = (text: string, pieces: RegExp) => (text.match(pieces) ?? []).join('\r\n ')

type Covered = { names: string[]; fields: HeaderField[] }

export type DkimKey = { selector: string; privateKey: KeyObject }

export type Signing = { domain: string; keys: DkimKey[]; dkimBodyHash: string; now: Date }
