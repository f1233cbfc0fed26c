import { type AssertionKey, makeAssertionKey } from '#lib/testing/oauth/assertions'
import type { AppChanges, Changes, Client } from './client.ts'
import { type Answer, expect, type Provider } from './provider.ts'
import { readSignedResponse } from './signed-response.ts'
import { openAgent, type Page } from './user-agent.ts'

/** A plan of the official conformance suite, with the variants that Postern runs. */
export type Plan = { name: string; signed: boolean; jarm: boolean }

export const plans: Plan[] = [
  { name: 'fapi2-security-profile-final-test-plan', signed: false, jarm: false },
  { name: 'fapi2-message-signing-final-test-plan', signed: true, jarm: true },
]

type Pushed = {
  claims?: Record<string, unknown>
  header?: Record<string, unknown>
  beside?: Changes
  headers?: Changes
}

/** The redirect URI of the second client has a query, as in the suite. */
const secondRedirect = 'https://app.example/second/callback?dummy1=lorem&dummy2=ipsum'

/** One client of a plan: authenticates with private_key_jwt, binds its tokens with DPoP. */
export class Flow {
  readonly agent
  readonly provider: Provider
  readonly client: Client
  readonly plan: Plan
  readonly redirectUri: string

  private constructor(provider: Provider, client: Client, plan: Plan, redirectUri: string) {
    this.provider = provider
    this.client = client
    this.plan = plan
    this.redirectUri = redirectUri
    this.agent = openAgent(provider)
  }

  /** Opens the first client of a plan, which signs with ES256. */
  static open = (provider: Provider, plan: Plan) => Flow.#register(provider, plan)

  /** Opens the second client, which signs with PS256. */
  static async openSecond(provider: Provider, plan: Plan) {
    const key = await makeAssertionKey('second', 'PS256')
    return Flow.#register(provider, plan, { redirect_uris: [secondRedirect] }, key)
  }

  static async #register(provider: Provider, plan: Plan, changes: AppChanges = {}, key?: AssertionKey) {
    const fields = { require_signed_request_object: plan.signed, ...changes }
    const client = await provider.client('fapi2', fields, key && { key })
    return new Flow(provider, client, plan, key ? secondRedirect : client.redirectUri)
  }

  /** Pushes a request, in a signed request object if the plan says so. */
  async push(changes: Changes = {}, { claims, header, beside, headers }: Pushed = {}): Promise<Answer> {
    const mode = this.plan.jarm ? { response_mode: 'jwt' } : {}
    const asked = this.client.request({ ...mode, redirect_uri: this.redirectUri, ...changes })
    if (!this.plan.signed) return this.client.push({ ...asked, ...beside }, headers)
    const request = await this.client.requestObject({ ...asked, ...claims }, header)
    return this.client.push({ request, ...beside }, headers)
  }

  /** Opens the authorization endpoint with a pushed request. */
  open(request_uri: string, beside: Changes = {}, agent = this.agent): Promise<Page> {
    const url = new URL(this.provider.discovery.authorization_endpoint)
    for (const [name, value] of Object.entries({ client_id: this.client.id, request_uri, ...beside }))
      url.searchParams.set(name, String(value))
    return agent.open(url)
  }

  /** Pushes a request, signs in and allows. Returns the parameters of the answer, which the app verifies with JARM. */
  async authorize(changes: Changes = {}, pushed: Pushed = {}): Promise<Record<string, string>> {
    const answer = await this.push(changes, pushed)
    expect(answer.status, answer.text).toBe(201)
    return this.read(await this.agent.finish(await this.open(answer.json().request_uri)))
  }

  /** Returns the parameters of an authorization answer. */
  async read(returned: Record<string, string> | undefined): Promise<Record<string, string>> {
    const { dummy1, dummy2, ...own } = returned ?? {}
    if (this.redirectUri === secondRedirect) expect([dummy1, dummy2]).toEqual(['lorem', 'ipsum'])
    if (!this.plan.jarm) return own
    const { header, claims } = await readSignedResponse(this.provider, this.client, own)
    expect(['PS256', 'ES256', 'EdDSA']).toContain(header.alg)
    const { aud, exp, ...parameters } = claims
    return parameters as Record<string, string>
  }

  exchange(answer: Record<string, string>, changes: Changes = {}, headers: Changes = {}): Promise<Answer> {
    return this.client.exchange(answer, { redirect_uri: this.redirectUri, ...changes }, headers)
  }

  /** Signs in, and returns the token response. */
  async tokens(changes: Changes = {}) {
    const answer = await this.exchange(await this.authorize(changes))
    expect(answer.status, answer.text).toBe(200)
    return answer.json()
  }
}
