import type { Changes, Client } from './client.ts'
import { expect, type Provider } from './provider.ts'
import type { Answer } from './send.ts'
import { readIdToken, type Tokens } from './tokens.ts'
import type { Page, UserAgent } from './user-agent.ts'

/** The requests of the official plans have no PKCE parameters; only the module about PKCE has them. */
const withoutPkce = { code_challenge: undefined, code_challenge_method: undefined }

/** The apps and the browser of an official plan. */
export class PlanRun {
  readonly provider: Provider
  readonly agent: UserAgent
  readonly client: Client
  readonly other: Client
  readonly parameters: Changes

  constructor(provider: Provider, agent: UserAgent, plan: { client: Client; other: Client; parameters: Changes }) {
    this.provider = provider
    this.agent = agent
    this.client = plan.client
    this.other = plan.other
    this.parameters = { ...withoutPkce, ...plan.parameters }
  }

  /** Opens a request and returns the page or the answer at which it ends. */
  async open(changes: Changes): Promise<Page> {
    const page = await this.agent.open(await this.client.authorizationUrl({ ...this.parameters, ...changes }))
    // The answer arrives by POST with response_mode=form_post, and by redirect otherwise.
    if (page.returned) expect(page.isApp).toBe(this.parameters.response_mode !== 'form_post')
    return page
  }

  /** Opens a request, signs in, and allows if asked. Returns the parameters that reached the app. */
  authorize(changes: Changes = {}, client = this.client): Promise<Record<string, string>> {
    return this.agent.authorize(client, { ...this.parameters, ...changes })
  }

  exchange(answer: { code?: string }, client = this.client): Promise<Answer> {
    return client.exchange(answer, { code_verifier: undefined })
  }

  async tokens(changes: Changes = {}, client = this.client): Promise<Tokens> {
    const answer = await this.authorize(changes, client)
    expect(answer).toEqual({ code: expect.any(String), state: 'the state', iss: this.provider.issuer })
    const response = await this.exchange(answer, client)
    expect(response.status, response.text).toBe(200)
    return response.json()
  }

  /** Signs in, checks the ID token and reads userinfo, as every module does. Returns the claims of the ID token. */
  async signIn(changes: Changes = {}) {
    const tokens = await this.tokens(changes)
    const { claims, header } = await readIdToken(this.provider, this.client, tokens.id_token)
    expect([header.alg, typeof header.kid]).toEqual(['RS256', 'string'])
    expect(claims.nonce).toBe('nonce' in changes ? changes.nonce : 'the nonce')
    expect((await this.client.userinfo(tokens.access_token)).json().sub).toBe(claims.sub)
    return claims
  }
}
