import { type DerivedKeys, deriveKeys } from '#lib/crypto/derived-keys'
import { evaluationKey } from './evaluation-key.ts'

/** The settings of the master key. Without `secretKey`, an evaluation keeps its master key in `dataDir`. */
type MasterKeys = { secretKey: string | undefined; previousSecretKey: string | undefined; dataDir: string }

/** Derives the keys of every purpose from the master keys (design §5). */
export function readMasterKeys({ secretKey, previousSecretKey, dataDir }: MasterKeys): DerivedKeys {
  const master = secretKey ? Buffer.from(secretKey, 'base64url') : evaluationKey(dataDir)
  return deriveKeys(master, previousSecretKey ? Buffer.from(previousSecretKey, 'base64url') : undefined)
}
