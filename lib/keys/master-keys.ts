import { type DerivedKeys, deriveKeys } from '#lib/crypto/derived-keys'
import type { Config } from '#lib/server/settings/config'
import { evaluationKey } from './evaluation-key.ts'

/** The keys derived from what the settings give; an evaluation that gives none has a master key of its own (design §5). */
export function readMasterKeys({ secretKey, previousSecretKey, dataDir }: Config): DerivedKeys {
  const master = secretKey ? Buffer.from(secretKey, 'base64url') : evaluationKey(dataDir)
  return deriveKeys(master, previousSecretKey ? Buffer.from(previousSecretKey, 'base64url') : undefined)
}
