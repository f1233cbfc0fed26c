import type { Client } from '#lib/oauth/client/client'
import type { EmailChoice } from '#lib/oauth/store'
import { type ConsentQuestion, mayHide } from './consent.ts'

/** The choices that a person can set for apps without an earlier one. */
export const newAppEmails = ['hidden', 'regular'] as const
export type NewAppEmail = (typeof newAppEmails)[number]

type Asker = { email: string | undefined; newAppEmail: NewAppEmail }

/**
 * Returns the choice of address that the page preselects: the earlier one if it is still allowed, else the relay address.
 * A person may set the regular address instead, but only for teams that are verified. Without a bound address nothing is
 * shared unless the app requires it.
 */
export function preselectedEmail(
  question: Pick<ConsentQuestion, 'email' | 'emailChoice'>,
  person: Asker,
  { team }: Pick<Client, 'team'>,
  service: { offersRelay: boolean },
): EmailChoice {
  const { email: asked, emailChoice: earlier } = question
  if (earlier !== undefined && !(earlier === 'none' && asked === 'required')) return earlier
  if (person.email === undefined && asked === 'optional') return 'none'
  const prefersRegular = person.newAppEmail === 'regular' && team.isVerified
  return mayHide(service, question) && !prefersRegular ? 'hidden' : 'regular'
}
