import type { Destination } from '#lib/flow/destination'
import type { RememberedAccount } from '#lib/sign-in/remembered/remembered-accounts'

/** What else the page knows: `who` is the mark of a chosen face, `other` the wish for another account. */
type Choice = { other: boolean; who: string; remembered: Pick<RememberedAccount, 'mark' | 'username'>[] }

/**
 * Returns the initial username: the typed one, that of the chosen face, the app's `login_hint`, that of the signed-in
 * person, or that of the only remembered account.
 */
export function suggestUsername(
  kept: Record<string, string>,
  destination: Destination,
  { other, who, remembered }: Choice,
): string {
  const chosen = remembered.find(({ mark }) => mark === who)
  const typed = kept.username ?? chosen?.username
  if (typed !== undefined || other) return typed ?? ''
  const asked = destination.kind === 'app' ? destination.interaction.flow.request : undefined
  if (asked?.loginHint !== undefined) return asked.loginHint
  // With an id_token_hint, the app expects one person, who may be neither the signed-in nor the remembered one.
  if (asked?.hintedSubject !== undefined) return ''
  const [first, ...more] = remembered
  return destination.current?.person.username ?? (more.length === 0 ? first?.username : undefined) ?? ''
}
