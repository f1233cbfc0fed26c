import { createHash } from 'node:crypto'
import { type Outbound, OutboundFault } from '#lib/http/outbound'

/** Returns whether a list of stolen passwords contains the password; false when that is not known. */
export type IsLeaked = (password: string) => Promise<boolean>

type Lookup = {
  /** PASSWORD_LOOKUP_URL; without it, nothing is looked up. */
  url: string | undefined
  outbound: Pick<Outbound, 'getText'>
  log: { warn(about: object, message: string): void }
}

/** An answer has about 2,000 lines of 40 bytes, and grows with every list of stolen passwords. */
const mostBytes = 262_144

/**
 * Opens the look-up of new passwords at a service with the protocol of Have I Been Pwned. The service learns the first five
 * of the forty digits of the hash, which fit about 2,000 of its passwords, and our address (k-anonymity). During an
 * outage of the service, new passwords are accepted.
 */
export function openLookup({ url, outbound, log }: Lookup): IsLeaked {
  if (url === undefined) return async () => false
  return async (password) => {
    const hash = createHash('sha1').update(password).digest('hex').toUpperCase()
    try {
      // Padding hides from a listener how many passwords the service knows for the five digits.
      const lines = await outbound.getText(url + hash.slice(0, 5), { 'add-padding': 'true' }, mostBytes)
      return hasSuffix(lines, hash.slice(5))
    } catch (fault) {
      if (!(fault instanceof OutboundFault)) throw fault
      log.warn({ fault: fault.message }, 'a new password was not looked up')
      return false
    }
  }
}

/** Every line is the rest of a hash and a count; padding has the count 0. */
const hasSuffix = (lines: string, suffix: string): boolean =>
  lines.split('\n').some((line) => {
    const [rest = '', count = ''] = line.trim().split(':')
    return rest.toUpperCase() === suffix && Number(count) > 0
  })
