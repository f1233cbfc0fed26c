import { domainToASCII } from 'node:url'
import { type CheckedWith, checkSender, type SentMail } from './sender-check.ts'

/**
 * Whether a reply is from the person whose relay address it leaves by (relay §6): From is the verified address, and
 * what passes vouches for it. A signature vouches for From; SPF for MAIL FROM alone, so that has to be the address too.
 */
export async function checkReplySender(mail: SentMail, verified: string, about: CheckedWith): Promise<ReplyVerdict> {
  if (!isSameAddress(mail.author, verified)) return { kind: 'refused', reason: 'other_sender' }
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

/** Aligned by SPF for somebody else's MAIL FROM, DMARC is done; a signature that DNS hides may still vouch for From. */
const undecidedSignature = ({ dkim, dmarc }: { dkim: { result: string }[]; dmarc: { aligned: { spf: boolean } } }) =>
  dmarc.aligned.spf && dkim.some(({ result }) => result === 'temperror')

/** Addresses are stored lower-case, since no two people share one that differs in case only. */
export const isSameAddress = (one: string, other: string): boolean => folded(one) === folded(other)

function folded(address: string): string {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  return `${address.slice(0, at)}@${domainToASCII(domain) || domain}`.toLowerCase()
}
