import type { SignInStore } from '#lib/account/signed-in/session'
import { dummyVerify, hashPassword, verifyPassword } from '#lib/crypto/password-hash'
import { isOverloaded } from '#lib/queue/fair-queue'

/** The account that a login names, and its password hash. */
export type Credentials = Awaited<ReturnType<SignInStore['findCredentials']>>

/** Returns the person when the password is right; takes as long for a wrong password and for an unknown person. */
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

/** Stores a stronger hash; leaves that to a later sign-in when the queue for hashing is full. */
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
