import type { Page } from '@playwright/test'
import type { ServerProcess } from '../server-process.ts'
import { requestOf } from '../walker.ts'

/** The pages that a person sees most. The person is signed in, except on the entrance. */
export const entrance = ['/', '/signin?to=/account', '/signup?to=/account', '/recover', '/no/such/page']
export const inside = [
  '/account',
  '/account/profile',
  '/account/email',
  '/account/email/change',
  '/account/hide-my-email',
  '/account/security',
  '/account/security/password',
  '/account/security/authenticator',
  '/account/apps',
  '/account/activity',
  '/account/data',
]
/** The consent page, which is a request of the demo app. */
export const consentOf = (server: ServerProcess) => `${server.issuer}/oauth2/authorize?${requestOf(server)}`

/** The bytes on the wire by kind, and those that all of it would take without compression. */
export type Weight = { html: number; css: number; js: number; plain: number }

/** Opens a page with an empty cache and returns the bytes on the wire, or nothing where this version has no such page. */
export async function weigh(page: Page, url: string): Promise<Weight | undefined> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Network.enable')
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true })
  const kinds = new Map<string, Exclude<keyof Weight, 'plain'>>()
  const weight = { html: 0, css: 0, js: 0, plain: 0 }
  cdp.on('Network.responseReceived', ({ requestId, type, response }) => {
    const kind = ({ Document: 'html', Stylesheet: 'css', Script: 'js' } as const)[type as string]
    if (!kind) return
    kinds.set(requestId, kind)
    // Until the body arrives, these are the bytes of the headers.
    weight.plain += response.encodedDataLength
  })
  cdp.on('Network.dataReceived', ({ requestId, dataLength }) => {
    if (kinds.has(requestId)) weight.plain += dataLength
  })
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId)
    if (kind) weight[kind] += encodedDataLength
  })
  const answer = await page.goto(url, { waitUntil: 'networkidle' })
  await cdp.detach()
  return answer?.status() === 404 && !url.includes('/no/') ? undefined : weight
}
