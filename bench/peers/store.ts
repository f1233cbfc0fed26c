import type { Adapter } from 'oidc-provider'

/** A peer's storage: adapters for the provider's models, and the people. */
export type PeerStore = {
  adapter(model: string): Adapter
  addPeople(people: Person[]): void
  findPerson(id: string): Person | undefined
  /** Runs the set-up as one transaction, so that it does not wait for the disk at each step. */
  asOne<T>(work: () => Promise<T>): Promise<T>
}

export type Person = { id: string; name: string; nickname: string; email: string; locale: string }

/** Models that belong to a grant and are deleted with it. */
export const grantable = new Set([
  'AccessToken',
  'AuthorizationCode',
  'RefreshToken',
  'DeviceCode',
  'BackchannelAuthenticationRequest',
])
