import { createPrivateKey, type KeyObject } from 'node:crypto'
import type { DerivedKeys } from '#lib/crypto/derived-keys'
import { openSealed } from '#lib/crypto/seal'
import { type DkimRecord, dkimRecord } from './dkim-record.ts'
import { makeMailKeys } from './make-mail-keys.ts'
import type { MailKeyAlgorithm, MailKeyNeeds, StoredMailKey } from './store.ts'

/** A private key for DKIM signatures. */
export type MailSigner = { selector: string; algorithm: MailKeyAlgorithm; privateKey: KeyObject }

/** Milliseconds until keys are read again, because another process may have rotated them. */
const staleAfter = 5_000

/**
 * Opens the DKIM keys. Creates the first pair when there is none; that pair signs at once (relay §5, design §5).
 * Throws when the master key does not open the keys that sign.
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
  /** Returns the current pair, RSA first. */
  current(): Promise<MailSigner[]>
  /**
   * Returns the DNS records of the current pair, the next pair, and retired pairs whose mail may still be in transit.
   */
  records(domain: string): Promise<DkimRecord[]>
}

/** Creates the first pair. When two processes race, one insert wins and both use it. */
async function ensureFirst(needs: MailKeyNeeds): Promise<void> {
  if ((await needs.store.listMailKeys()).length > 0) return
  await needs.store.insertGeneration(await makeMailKeys(needs, 1, needs.now()))
}

/** Keeps an opened key: another process may reseal it with a master key that this process does not have yet. */
async function openSigner(
  key: StoredMailKey,
  secrets: DerivedKeys,
  opened: Map<string, KeyObject>,
): Promise<MailSigner> {
  const { selector, algorithm, sealedPrivate } = key
  const known = opened.get(selector)
  if (known !== undefined) return { selector, algorithm, privateKey: known }
  const content = openSealed(secrets.all('mail-key-at-rest'), sealedPrivate)
  if (!content) {
    throw new Error(
      sealedPrivate === ''
        ? 'The keys for mail are lost. The next pair signs once DNS has its records: cli relay dns'
        : 'SECRET_KEY does not open the stored keys for mail. Start with the key they were sealed with (or give it as SECRET_KEY_PREVIOUS).',
    )
  }
  const privateKey = createPrivateKey({ key: Buffer.from(content), format: 'der', type: 'pkcs8' })
  opened.set(selector, privateKey)
  return { selector, algorithm, privateKey }
}
