import { type ConsentChange, type ConsentRecord, consentChange } from './consent.ts'
import type { ConsentStore } from './store.ts'

/** A person's decision about an app, and the stored decision that their page showed. */
export type Decision = {
  personId: string
  client: { id: string; name: string }
  before: ConsentRecord | undefined
  after: ConsentRecord
}

type Needs = { consents: Pick<ConsentStore, 'replaceConsent'>; now(): Date }

/**
 * Stores a decision and returns what changed; undefined if another tab has stored a decision since the page was
 * shown.
 */
export async function keepConsent(
  { consents, now }: Needs,
  { personId, client, before, after }: Decision,
): Promise<ConsentChange | undefined> {
  const kept = await consents.replaceConsent({ personId, appId: client.id, before, after, now: now() })
  return kept ? consentChange(before, after) : undefined
}
