import type { DerivedKeys } from '#lib/crypto/derived-keys'
import { openSealed, sealBytes } from '#lib/crypto/seal'
import type { Progress } from '#lib/oauth/authorize/next-step'
import type { AuthorizationRequest } from '#lib/oauth/authorize/request'

/** A request on its way through the browser: who began it there, and how far they have come (design §3). */
export type Travelling = { request: AuthorizationRequest; browser: string | undefined; progress: Progress | undefined }

/** `expired` still opens for a day, only to tell the app. */
export type Opened = { kind: 'open' | 'expired'; travelling: Travelling } | { kind: 'unreadable' }

const lifetime = 3600
const openFor = 24 * 3600
/** URLs longer than this do not travel safely through proxies and browsers. */
export const longestSeal = 6 * 1024

/** Seals a request into a URL parameter; nothing is written anywhere, so a visitor cannot grow a table. */
export const sealRequest = (secrets: DerivedKeys, travelling: Travelling): Promise<string> =>
  sealBytes(secrets.current('seal-request'), Buffer.from(JSON.stringify(travelling)))

/** Opens what we sealed, within its time. */
export async function openRequest(secrets: DerivedKeys, sealed: string, now: Date): Promise<Opened> {
  if (sealed.length > longestSeal) return { kind: 'unreadable' }
  const bytes = await openSealed(secrets.all('seal-request'), sealed)
  if (!bytes) return { kind: 'unreadable' }
  const travelling = JSON.parse(Buffer.from(bytes).toString('utf8')) as Travelling
  const age = now.getTime() / 1000 - travelling.request.issuedAt
  if (age > openFor) return { kind: 'unreadable' }
  return { kind: age > lifetime ? 'expired' : 'open', travelling }
}
