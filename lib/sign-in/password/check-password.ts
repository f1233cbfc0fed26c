import type { SignInStore } from '#lib/account/signed-in/session'
import { dummyVerify, hashPassword, verifyPassword } from '#lib/crypto/password-hash'
import { isOverloaded } from '#lib/queue/fair-queue'

/** Whose account a login names, and the password to compare with. */
export type Credentials = Awaited<ReturnType<SignInStore['findCredentials']>>

/** The person whose password this is; undefined, after the same time, for a wrong one and for nobody. */
export async function checkPassword(
  store: Pick<SignInStore, 'replacePasswordHash'>,
  known: Credentials,
  password: string,
): Promise<string | undefined> {
  if (!known?.passwordHash) {
    await dummyVerify(password)
    return undefined
  }
  const { ok, rehash } = await verifyPassword(password, known.passwordHash)
  if (!ok) return undefined
  if (rehash) await strengthen(store, known.personId, known.passwordHash, password)
  return known.personId
}

/** Stores a stronger hash; when the queue for hashing is full, a later sign-in does. */
async function strengthen(
  store: Pick<SignInStore, 'replacePasswordHash'>,
  personId: string,
  old: string,
  password: string,
) {
  try {
    await store.replacePasswordHash(personId, old, await hashPassword(password))
  } catch (fault) {
    if (!isOverloaded(fault)) throw fault
  }
}
