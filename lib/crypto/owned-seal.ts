import type { DerivedKeys, Purpose } from './derived-keys.ts'
import { claimedType, openSealed, sealBytes } from './seal.ts'

/** The purpose of a sealed value, and the id of the person or browser that owns it. */
export type Label = { purpose: Purpose; owner: string }

type Sealer = { secrets: DerivedKeys; now(): Date }
type Content = { owner: string; at: number; value: unknown }

/** Seals a value for one purpose, with its owner and the time inside. */
export function sealOwned({ secrets, now }: Sealer, { purpose, owner }: Label, value: unknown): Promise<string> {
  const content: Content = { owner, at: now().getTime(), value }
  return sealBytes(secrets.current(purpose), Buffer.from(JSON.stringify(content)), purpose)
}

/** Returns the value if it was sealed for this purpose and owner within the given seconds. */
export async function openOwned<Value>(
  { secrets, now }: Sealer,
  { purpose, owner }: Label,
  sealed: string,
  seconds = Number.POSITIVE_INFINITY,
): Promise<Value | undefined> {
  const bytes = isSealedFor(purpose, sealed) ? await openSealed(secrets.all(purpose), sealed) : undefined
  if (!bytes) return undefined
  const content = JSON.parse(Buffer.from(bytes).toString('utf8')) as Content
  const inTime = now().getTime() - content.at < seconds * 1000
  return content.owner === owner && inTime ? (content.value as Value) : undefined
}

/** Whether a sealed text names this purpose; only opening it proves that it has it. */
export const isSealedFor = (purpose: Purpose, sealed: string): boolean => claimedType(sealed) === purpose
