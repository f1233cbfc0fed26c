import type { Destination } from '#lib/flow/destination'

/** What the username field starts with: what was typed, whom the app expects, or who is signed in already. */
export function suggestUsername(kept: Record<string, string>, destination: Destination, other: boolean): string {
  const asked = destination.kind === 'app' ? destination.interaction.flow.request : undefined
  // With an ID token hint the app means one person, and who is signed in here may well be another.
  const here = other || asked?.hintedSubject !== undefined ? undefined : destination.current?.person.username
  return kept.username ?? (other ? undefined : asked?.loginHint) ?? here ?? ''
}
