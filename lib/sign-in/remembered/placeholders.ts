import { random } from '#lib/crypto/random'
import { escapeHtml } from '#lib/text/text-rules'
import type { RememberedAccount } from './remembered-accounts.ts'

/**
 * Accounts for a page that is kept for many browsers. Each of their values is a placeholder, which contains the secret. In
 * the page that a browser gets, the values of its own accounts replace them.
 */
export type Placeholders = { secret: string; accounts: RememberedAccount[] }

/** Makes placeholders for as many accounts, each with a name and a picture if the account has them. */
export function makePlaceholders(accounts: RememberedAccount[]): Placeholders {
  const secret = random(16).toString('base64url')
  const standFor = ({ name, avatarFile }: RememberedAccount, at: number): RememberedAccount => {
    const placeholder = (field: Shown) => `${secret}.${at}.${field}.`
    return {
      id: '',
      mark: placeholder('mark'),
      username: placeholder('username'),
      name: name && placeholder('name'),
      avatarFile: avatarFile && placeholder('avatarFile'),
      initials: placeholder('initials'),
    }
  }
  return { secret, accounts: accounts.map(standFor) }
}

type Shown = Exclude<keyof RememberedAccount, 'id'>

/** Returns what the page of these accounts has places for, besides what every account has. */
export const shapeOf = (accounts: RememberedAccount[]): boolean[][] =>
  accounts.map(({ name, avatarFile }) => [Boolean(name), Boolean(avatarFile)])

/** Replaces the placeholders in text and in quoted attributes by the values of accounts, in one pass. */
export const fillPlaceholders = (html: string, secret: string, accounts: RememberedAccount[]): string =>
  html.replaceAll(new RegExp(`${secret}\\.(\\d)\\.(\\w+)\\.`, 'g'), (_, at: number, field: Shown) =>
    escapeHtml(accounts[at]?.[field] ?? ''),
  )
