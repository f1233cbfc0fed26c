import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { Changes, Client } from './client.ts'
import { expect, type Provider } from './provider.ts'
import { type Certificate, openTls } from './tls.ts'
import { tokensOf } from './tokens.ts'
import { formOf, openAgent, type Page, type UserAgent } from './user-agent.ts'

/** The registered addresses of an app that signs people out. */
export const [bye, byeWithQuery] = ['https://app.example/bye', 'https://app.example/bye?kept=1'] as const

/** Registers an app with addresses to return to after a logout. */
export const leavingApp = (provider: Provider, changes: Record<string, unknown> = {}): Promise<Client> =>
  provider.client('oidc', { post_logout_redirect_uris: [bye, byeWithQuery], ...changes })

/** Signs a person in at an app. The result has the steps of a logout. */
export async function signedIn(provider: Provider, client: Client, agent: UserAgent = openAgent(provider)) {
  const tokens = await tokensOf(agent, client)
  return { agent, tokens, hint: tokens.id_token, ...stepsOf(provider, client, agent) }
}

/** Returns the steps of a logout in a browser. */
export const stepsOf = (provider: Provider, client: Client, agent: UserAgent) => ({
  /** Opens the logout endpoint with these parameters. */
  leave(parameters: Changes = {}, method: 'GET' | 'POST' = 'GET'): Promise<Page> {
    const url = new URL(provider.discovery.end_session_endpoint)
    if (method === 'POST') return agent.open(url, { form: parameters })
    for (const [name, value] of Object.entries(parameters))
      for (const one of [value ?? []].flat()) url.searchParams.append(name, one)
    return agent.open(url)
  },
  /** Confirms the logout on the page that asks for confirmation. */
  confirm: (page: Page): Promise<Page> => agent.submit(formOf(page, '/logout/submit')),
  /** Returns the error of a silent request; undefined while a person is signed in. */
  silent: async (): Promise<string | undefined> => (await agent.authorize(client, { prompt: 'none' })).error,
})

/**
 * Returns where a logout ends: the address of the app, "asks" for the confirmation page, "signed out" for the last
 * page, or the status of an error page.
 */
export function endOf(page: Page): string {
  if (page.isApp) return page.url.href
  if (formOf(page, '/logout/submit')) return 'asks'
  return page.url.pathname === '/logout' && /signed out/i.test(page.text) ? 'signed out' : `error ${page.status}`
}

export type Arrived = { path: string; method: string; type: string; protocol: string; body: URLSearchParams }

/** Opens the back-channel endpoints of apps at `https://localhost:PORT`, one path for each app. */
export async function openReceiver(certificate: Certificate) {
  const arrived: Arrived[] = []
  const statuses = new Map<string, number>()
  const receive = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    let body = ''
    for await (const chunk of incoming) body += chunk
    const { url: path = '', method = '', headers, socket } = incoming
    const protocol = (socket as TLSSocket).getProtocol() ?? ''
    arrived.push({ path, method, type: headers['content-type'] ?? '', protocol, body: new URLSearchParams(body) })
    outgoing.writeHead(statuses.get(path) ?? 200, { 'cache-control': 'no-store' }).end()
  }
  const { port, close } = await openTls(certificate, (incoming, outgoing) => void receive(incoming, outgoing))
  const at = (path: string) => arrived.filter((one) => one.path === path)
  return {
    /** The status that answers requests to a path; 200 by default. */
    statuses,
    close,
    at,
    urlOf: (path: string) => `https://localhost:${port}${path}`,
    /** Waits until this number of requests has arrived at a path, and returns them. */
    async received(path: string, count = 1): Promise<Arrived[]> {
      await expect.poll(() => at(path).length).toBe(count)
      return at(path)
    },
  }
}
export type Receiver = Awaited<ReturnType<typeof openReceiver>>
