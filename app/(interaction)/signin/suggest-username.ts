import type { Destination } from '#lib/flow/destination'

/** Returns the initial username: the typed one, the app's `login_hint`, or that of the signed-in person. */
export function suggestUsername(kept: Record<string, string>, destination: Destination, other: boolean): string {
  const asked = destination.kind === 'app' ? destination.interaction.flow.request : undefined
  // With an id_token_hint, the app expects one person, who may not be the signed-in one.
  const here = other || asked?.hintedSubject !== undefined ? undefined : destination.current?.person.username
  return kept.username ?? (other ? undefined : asked?.loginHint) ?? here ?? ''
}
