import type { Adapter } from 'oidc-provider'

/** What a peer keeps its state in: adapters for the provider's models, and the people. */
export type PeerStore = {
  adapter(model: string): Adapter
  addPeople(people: Person[]): void
  findPerson(id: string): Person | undefined
  /** Runs the set-up so that it does not wait for the disk at each step. */
  asOne<T>(work: () => Promise<T>): Promise<T>
}

export type Person = { id: string; name: string; nickname: string; email: string; locale: string }

/** The models that belong to a grant, and go with it. */
export const grantable = new Set([
  'AccessToken',
  'AuthorizationCode',
  'RefreshToken',
  'DeviceCode',
  'BackchannelAuthenticationRequest',
])
