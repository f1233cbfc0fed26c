import { sha256 } from '#lib/crypto/hash'
import { pathWith } from '#lib/http/redirect'
import type { Site } from '#lib/http/site'
import type { UndoRecord } from './store.ts'

/**
 * The days in which a change can be undone from the old inbox, and no other account can bind the old address (issue "A
 * product people enjoy", item 14).
 */
export const undoDays = 7

/** The page of the link in the letter to the old address. It needs no sign-in. */
export const undoPage = '/undo-email'

/** Returns the stored hash of the secret in a letter. */
export const undoHashOf = (key: string): string => sha256(`undo of an e-mail change ${key}`)

/** The link of the letter to the old address, and the time until which it works. */
export type UndoLink = { link: string; until: Date }

/**
 * Returns what the change stores for its undo, and the link for the letter. Without a link when the person said that they
 * can no longer read mail at the old address: its reader may be someone else.
 */
export function makeUndo(
  { config, random, now }: Pick<Site, 'config' | 'random' | 'now'>,
  { sessionId, isInboxLost }: { sessionId: string; isInboxLost: boolean },
): { undo: UndoRecord; letter: UndoLink | undefined } {
  const until = new Date(now().getTime() + undoDays * 86_400_000)
  if (isInboxLost) return { undo: { sessionId, undoHash: undefined, expiresAt: until }, letter: undefined }
  const key = random(32).toString('base64url')
  const link = `${config.accountUrl}${pathWith(undoPage, { key })}`
  return { undo: { sessionId, undoHash: undoHashOf(key), expiresAt: until }, letter: { link, until } }
}
