import { random } from '#lib/crypto/random'
import { escapeHtml } from '#lib/text/text-rules'
import type { RememberedAccount } from './remembered-accounts.ts'

// The sign-in page that is kept for many browsers is rendered with placeholders instead of accounts. In the page that a
// browser gets, the values of its own accounts replace them.

/** A part of every placeholder that nobody can guess. No page contains it after its placeholders are filled. */
const secret = random(16).toString('base64url')
const placeholder = new RegExp(`${secret}\\.(\\d)\\.(\\w+)\\.`, 'g')

/** The page has other elements for an account without a name or without a picture. */
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
