// The package has no type declarations; these are the parts that the peer uses.
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>)
    callback(): RequestListener
    on(event: string, listener: (...args: unknown[]) => void): this
    Client: { find(id: string): Promise<Client | undefined> }
    Grant: new (properties: {
      accountId: string
      clientId: string
    }) => Grant
    AuthorizationCode: Model
    RefreshToken: Model
    AccessToken: Model
  }

  export interface Client {
    clientId: string
    grantTypeAllowed(type: string): boolean
  }

  export interface Grant {
    addOIDCScope(scope: string): void
    addResourceScope(resource: string, scope: string): void
    save(): Promise<string>
  }

  export type Model = new (properties: { client: Client; [name: string]: unknown }) => { save(): Promise<string> }

  /** A stored model of the provider. The adapter reads only these members. */
  export interface AdapterPayload {
    grantId?: string
    userCode?: string
    uid?: string
    consumed?: number
    [name: string]: unknown
  }

  export interface Adapter {
    upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void>
    find(id: string): Promise<AdapterPayload | undefined>
    findByUid(uid: string): Promise<AdapterPayload | undefined>
    findByUserCode(userCode: string): Promise<AdapterPayload | undefined>
    consume(id: string): Promise<void>
    destroy(id: string): Promise<void>
    revokeByGrantId(grantId: string): Promise<void>
  }
}
