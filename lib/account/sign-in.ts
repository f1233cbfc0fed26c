import { dummyVerify, hashPassword, verifyPassword } from './password.ts'
import type { SignInStore } from './session.ts'

/** The person whose username and password these are; undefined, after the same time, for every other pair. */
export async function checkPassword(
  store: SignInStore,
  username: string,
  password: string,
): Promise<string | undefined> {
  const known = await store.findCredentials(foldUsername(username))
  if (!known?.passwordHash) {
    await dummyVerify(password)
    return undefined
  }
  const { ok, rehash } = await verifyPassword(password, known.passwordHash)
  if (!ok) return undefined
  if (rehash) await store.replacePasswordHash(known.personId, await hashPassword(password))
  return known.personId
}

/** The one spelling under which a username is kept. */
export const foldUsername = (username: string) => username.trim().normalize('NFKC').toLowerCase()
