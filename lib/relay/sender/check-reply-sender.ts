import { isSameAddress } from '#lib/relay/mime/mailboxes'
import type { CheckedWith, SentMail } from './sender-check.ts'

/**
 * Checks that a reply is from the owner of the alias (relay §6): From must be the verified address and authenticated.
 * A DKIM signature vouches for From; SPF vouches for MAIL FROM only, so MAIL FROM must be that address too.
 */
export async function checkReplySender(mail: SentMail, verified: string, about: CheckedWith): Promise<ReplyVerdict> {
  if (!isSameAddress(mail.author, verified)) return { kind: 'refused', reason: 'other_sender' }
  // Loaded with the first mail, as in forward.ts.
  const { checkSender } = await import('./sender-check.ts')
  const checked = await checkSender(mail, about)
  if (checked.kind === 'local') return { kind: 'accepted' }
  const { aligned, mayYetPass } = checked.dmarc
  if (aligned.dkim || (aligned.spf && isSameAddress(mail.sender, verified))) return { kind: 'accepted' }
  return mayYetPass || undecidedSignature(checked) ? { kind: 'later' } : { kind: 'refused', reason: 'not_proven' }
}

export type ReplyVerdict =
  | { kind: 'accepted' }
  | { kind: 'later' }
  | { kind: 'refused'; reason: 'other_sender' | 'not_proven' }

/**
 * Returns whether SPF is aligned and a DNS failure left a DKIM signature unchecked: SPF for a MAIL FROM other than the
 * person's address does not prove From, but that signature may.
 */
const undecidedSignature = ({ dkim, dmarc }: { dkim: { result: string }[]; dmarc: { aligned: { spf: boolean } } }) =>
  dmarc.aligned.spf && dkim.some(({ result }) => result === 'temperror')
