import { chmodSync, closeSync, openSync, statSync } from 'node:fs'

/** Creates a file with mode 0600 under any umask. Leaves an existing file unchanged. */
export function makePrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600))
}

/** Sets a file's mode to 0600. Returns false when another user owns it and others may still read it. */
export function keepPrivate(file: string): boolean {
  if (!isOpenToOthers(file)) return true
  try {
    chmodSync(file, 0o600)
    return true
  } catch {
    return false
  }
}

/** Returns whether the file exists and other users may read or write it. */
export function isOpenToOthers(file: string): boolean {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode
  return mode !== undefined && (mode & 0o077) !== 0
}
