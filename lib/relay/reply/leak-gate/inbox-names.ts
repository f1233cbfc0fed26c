import { createHash } from 'node:crypto'
import { domainToASCII, domainToUnicode } from 'node:url'

/** The addresses of one inbox: any of its local parts at any of its domains. */
export type InboxNames = {
  locals: string[]
  domains: string[]
  /** Characters that the provider ignores in a local part. */
  ignored: string[]
}

/**
 * Returns the addresses that deliver to the same inbox as this one: with and without the +tag, under the provider's
 * other domains, and in both forms of an international domain.
 */
export function namesOf(address: string): InboxNames {
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at).normalize('NFC').toLowerCase()
  const domain = address.slice(at + 1).toLowerCase()
  const provider = providers.find(({ domains }) => domains.includes(domain))
  const domains = provider?.domains ?? [domain, domainToASCII(domain), domainToUnicode(domain)]
  const bare = (name: string) =>
    Array.from(name)
      .filter((char) => !provider?.ignored.includes(char))
      .join('')
  return {
    locals: unique([local, local.replace(/(?<=.)\+.*$/s, '')].map(bare)),
    domains: unique(domains.filter((one) => one !== '').map((one) => one.normalize('NFC'))),
    ignored: provider?.ignored ?? [],
  }
}

/**
 * Providers that deliver several domains, or several spellings of a local part, to one inbox. Microsoft's domains
 * (outlook.com, hotmail.com, live.com, msn.com) are not among them: the same local part at two of them belongs to two
 * people.
 */
const providers: { domains: string[]; ignored: string[] }[] = [
  { domains: ['gmail.com', 'googlemail.com'], ignored: ['.'] },
  { domains: ['icloud.com', 'me.com', 'mac.com'], ignored: [] },
  { domains: ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'], ignored: ['.', '-', '_'] },
  { domains: ['yandex.ru', 'yandex.com', 'yandex.by', 'yandex.kz', 'yandex.uz', 'ya.ru'], ignored: ['.', '-'] },
]

const unique = (names: string[]): string[] => [...new Set(names)]

/**
 * Returns whether a local part is a role, a common folder or very short: a word that occurs in texts and paths
 * without identifying a person.
 */
export const isCommonName = (local: string): boolean => local.length < 3 || commonNames.has(local)

const commonNames = new Set(
  'abuse account accounts admin administrator all app backup bin billing build business contact data default desktop dev docs download downloads email guest hello help home hosting hostmaster hr info inbox it jobs legal local mail mailer marketing me media my news newsletter noreply office orders postmaster private public root sales security service services shared shop source src staff support sys system team temp test tmp user username users var web webmaster welcome work www'.split(
    ' ',
  ),
)

/**
 * Returns the digests of an address. Avatar services and mailing tools use them as identifiers, and hashing guessed
 * addresses reverses them.
 */
export const digestsOf = (address: string): string[] =>
  ['md5', 'sha1', 'sha256', 'sha512'].flatMap((name) => {
    const digest = createHash(name).update(address.trim().toLowerCase()).digest()
    // Without padding, so that a search finds the digest with and without it.
    return [digest.toString('hex'), digest.toString('base64').replace(/=+$/, ''), digest.toString('base64url')]
  })

/** Returns whether a text contains one of these digests. Plain searches are faster than one regular expression. */
export function holdsDigest(text: string, digests: string[]): boolean {
  const plain = text.toLowerCase()
  return digests.some((digest) => (isHexadecimal(digest) ? plain : text).includes(digest))
}

/** Hexadecimal digests are compared in lower case; base64 is case-sensitive. */
export const isHexadecimal = (digest: string): boolean => /^[0-9a-f]+$/.test(digest)
