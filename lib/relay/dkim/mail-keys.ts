import { createPrivateKey, type KeyObject } from 'node:crypto'
import type { DerivedKeys } from '#lib/crypto/derived-keys'
import { openSealed } from '#lib/crypto/seal'
import { type DkimRecord, dkimRecord } from './dkim-record.ts'
import { makeMailKeys } from './make-mail-keys.ts'
import type { MailKeyAlgorithm, MailKeyNeeds, StoredMailKey } from './store.ts'

/** What the relay signs with. */
export type MailSigner = { selector: string; algorithm: MailKeyAlgorithm; privateKey: KeyObject }

/** Other processes may rotate; what they changed is seen after this long. */
const staleAfter = 5_000

/**
 * Opens the keys for mail, making the first pair where there is none; it signs at once (relay §5, design §5). Throws
 * when the keys that sign cannot be opened with the master key at hand.
 */
export async function openMailKeys(needs: MailKeyNeeds): Promise<MailKeys> {
  const opened = new Map<string, KeyObject>()
  const load = async () => {
    const keys = await needs.store.listMailKeys()
    const signing = keys.filter(({ state }) => state === 'current')
    const signers = await Promise.all(signing.map((key) => openSigner(key, needs.secrets, opened)))
    if (signers.length === 0) throw new Error('There is no current key for mail.')
    return { keys, signers }
  }
  await ensureFirst(needs)
  let loaded = await load()
  let loadedAt = needs.now().getTime()
  const fresh = async () => {
    const now = needs.now().getTime()
    if (now - loadedAt < staleAfter && now >= loadedAt) return loaded
    loaded = await load()
    loadedAt = now
    return loaded
  }
  return {
    current: async () => (await fresh()).signers,
    records: async (domain) => (await fresh()).keys.map((key) => dkimRecord(key, domain)),
  }
}

export type MailKeys = {
  /** The pair that signs now, RSA first. */
  current(): Promise<MailSigner[]>
  /** What to publish under a domain: the pair that signs, the next one, and those whose mail is still on its way. */
  records(domain: string): Promise<DkimRecord[]>
}

/** Of two processes that begin together one makes the pair, and both use it. */
async function ensureFirst(needs: MailKeyNeeds): Promise<void> {
  if ((await needs.store.listMailKeys()).length > 0) return
  await needs.store.insertGeneration(await makeMailKeys(needs, 1, needs.now()))
}

/** A key once opened stays open: another process may seal it with a master key that this one is yet to be given. */
async function openSigner(
  key: StoredMailKey,
  secrets: DerivedKeys,
  opened: Map<string, KeyObject>,
): Promise<MailSigner> {
  const { selector, algorithm, sealedPrivate } = key
  const known = opened.get(selector)
  if (known !== undefined) return { selector, algorithm, privateKey: known }
  const content = await openSealed(secrets.all('mail-key-at-rest'), sealedPrivate)
  if (!content) {
    throw new Error(
      'SECRET_KEY does not open the stored keys for mail. Start with the key they were sealed with (or give it as SECRET_KEY_PREVIOUS).',
    )
  }
  const privateKey = createPrivateKey({ key: Buffer.from(content), format: 'der', type: 'pkcs8' })
  opened.set(selector, privateKey)
  return { selector, algorithm, privateKey }
}
