import { Refusal } from '#lib/cli/command'
import type { DerivedKeys } from '#lib/crypto/derived-keys'
import { openSealed } from '#lib/crypto/seal'
import { existingEvaluationKey } from '#lib/keys/evaluation-key'
import { readMasterKeys } from '#lib/keys/master-keys'
import type { KeyStore } from '#lib/keys/store'
import type { Config } from '#lib/server/settings/config'

/**
 * Returns the server's keys. Refuses a master key that does not open the stored signing keys: the server could not
 * open tokens sealed with it.
 */
export async function readServerKeys(config: Config, store: KeyStore, now: Date): Promise<DerivedKeys> {
  const stored = await store.listKeys(now)
  const secrets = stored.length > 0 ? existingMasterKeys(config) : readMasterKeys(config)
  const purpose = secrets.all('signing-key-at-rest')
  const opened = await Promise.all(stored.map((key) => openSealed(purpose, key.sealedPrivate)))
  if (opened.includes(undefined)) throw otherKey()
  return secrets
}

/** Returns the keys of the master keys. Never creates the missing master key of an evaluation, as readMasterKeys would. */
export function existingMasterKeys(config: Config): DerivedKeys {
  if (!config.secretKey && !existingEvaluationKey(config.dataDir)) throw otherKey()
  return readMasterKeys(config)
}

const otherKey = () =>
  new Refusal(
    'SECRET_KEY is not the key of this database. Give this command the settings of the server, in the environment or in .env. If the key is lost for good, see docs/backup.md.',
  )
