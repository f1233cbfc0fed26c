import { headers } from 'next/headers'
import { placeholdersHeader } from '#lib/http/headers'
import type { RememberedAccount } from '#lib/sign-in/remembered/remembered-accounts'

/** Returns the placeholders that the front door sends instead of accounts when it will keep the page; undefined otherwise. */
export async function readPlaceholders(): Promise<RememberedAccount[] | undefined> {
  const sent = (await headers()).get(placeholdersHeader)
  return sent === null ? undefined : JSON.parse(sent)
}
