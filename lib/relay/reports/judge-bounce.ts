import type { Report } from './read-report.ts'

/** What a report means for further deliveries: only `hard` ones suspend them, the others are counted (relay §7). */
export type BounceVerdict = 'hard' | 'policy' | 'other' | 'not failed'

/** Judges a report: an address that does not exist or is switched off, mail that is not wanted, or anything else. */
export function judgeBounce({ action, status }: Report): BounceVerdict {
  if (action !== 'failed' || !status.startsWith('5.')) return 'not failed'
  const [, subject, detail] = status.split('.')
  if (subject === '7') return 'policy'
  if (subject === '1') return aboutSender.has(detail ?? '') ? 'other' : 'hard'
  return subject === '2' && detail === '1' ? 'hard' : 'other'
}

/** 5.1.7 and 5.1.8 say the sender's address is wrong, which is ours (RFC 3463 §3.2); 5.1.5 says that all is well. */
const aboutSender = new Set(['5', '7', '8'])
