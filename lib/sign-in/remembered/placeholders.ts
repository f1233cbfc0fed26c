import { random } from '#lib/crypto/random'
import { escapeHtml } from '#lib/text/text-rules'
import type { RememberedAccount } from './remembered-accounts.ts'

// The front door renders the sign-in page once for many browsers, with placeholders instead of accounts. Before it sends the page
// to a browser, it replaces them by the values of the accounts that this browser remembers.

/** Random, so that no name of a person or an app can contain a placeholder. */
const secret = random(16).toString('base64url')
const placeholder = new RegExp(`${secret}\\.(\\d)\\.(\\w+)\\.`, 'g')

/** Whether an account has a name and a picture: the page has other elements for one without them. */
type Shape = { hasName: boolean; hasPicture: boolean }

export const shapesOf = (accounts: RememberedAccount[]): Shape[] =>
  accounts.map(({ name, avatarFile }) => ({ hasName: name !== '', hasPicture: avatarFile !== undefined }))

/** Returns an account of placeholders for each shape. */
export const makePlaceholders = (shapes: Shape[]): RememberedAccount[] =>
  shapes.map(({ hasName, hasPicture }, at) => {
    const placeholderOf = (field: Field) => `${secret}.${at}.${field}.`
    return {
      id: '',
      mark: placeholderOf('mark'),
      username: placeholderOf('username'),
      name: hasName ? placeholderOf('name') : '',
      avatarFile: hasPicture ? placeholderOf('avatarFile') : undefined,
      initials: placeholderOf('initials'),
    }
  })

type Field = Exclude<keyof RememberedAccount, 'id'>

/** Replaces the placeholders in text and in quoted attributes by the values of accounts, in one pass. */
export const fillPlaceholders = (html: string, accounts: RememberedAccount[]): string =>
  html.replaceAll(placeholder, (_, at: string, field: Field) => escapeHtml(accounts[Number(at)]?.[field] ?? ''))
