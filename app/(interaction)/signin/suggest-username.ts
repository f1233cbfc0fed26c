import type { readJourneyPage } from '#lib/web/journey-page'

type Known = Pick<Awaited<ReturnType<typeof readJourneyPage>>, 'kept' | 'travelling' | 'current'>

/** What the username field starts with: what was typed, whom the app expects, or who is signed in already. */
export function suggestUsername({ kept, travelling, current }: Known, other: boolean): string {
  const { loginHint, hintedSubject } = travelling.request
  // With an ID token hint the app means one person, and who is signed in here may well be another.
  const here = other || hintedSubject !== undefined ? undefined : current?.person.username
  return kept.username ?? (other ? undefined : loginHint) ?? here ?? ''
}
