import {
  accessSync,
  closeSync,
  constants,
  createReadStream,
  existsSync,
  fsyncSync,
  openSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { syncFile } from './sqlite-backup.ts'

/**
 * What must stay ended after a restore: an erased person, or a key that leaked, by its `kid` or its selector. `kept` takes
 * back the last line of a person whose deletion was cancelled before it was done. Holds ids only.
 */
export type Ending = { at: string } & ({ person: string } | { kept: string } | { leakedKey: string })

/** Appends to the journal, and returns when the line is on disk. */
export type DeletionJournal = (ending: Ending) => void

/**
 * Returns the journal of a file; without a file, one that writes nothing. The file is created with mode 0600. A line
 * begins with a line break, so that a line that a power loss cut off does not spoil the next one.
 */
export function deletionJournal(file: string | undefined): DeletionJournal {
  if (file === undefined) return () => undefined
  return (ending) => {
    const descriptor = openSync(file, 'a', 0o600)
    try {
      // `writeSync` may write a part of the line and succeed.
      writeFileSync(descriptor, `\n${JSON.stringify(ending)}\n`)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    // Each time, not only for a new file: the process that created it may not have come this far.
    syncFile(dirname(file))
  }
}

/** Returns why the journal cannot be written, and what to do; undefined if it can. Creates nothing. */
export function journalFault(file: string | undefined): { message: string; fix: string } | undefined {
  if (file === undefined) return undefined
  try {
    accessSync(`${dirname(file)}/.`, constants.R_OK | constants.X_OK)
    accessSync(existsSync(file) ? file : dirname(file), constants.W_OK)
    return undefined
  } catch (fault) {
    const { code } = fault as { code?: string }
    return {
      message: `DELETION_JOURNAL ${file} cannot be written (${code}), so nobody can be erased.`,
      fix: 'Create its folder for the user of the service. With systemd, name it in ReadWritePaths of the unit.',
    }
  }
}

/** What journals say: ids of people and keys that must end again, and how many lines cannot be read. */
export type Journal = { people: string[]; leakedKeys: string[]; unreadable: number }

/** Reads journals line by line: the file of a large service may not fit into a string. */
export async function readJournals(files: string[]): Promise<Journal> {
  const [erased, kept, leakedKeys] = [new Map<string, string>(), new Map<string, string>(), new Set<string>()]
  let unreadable = 0
  for (const file of files)
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
      if (line.trim() === '') continue
      const { at, person, kept: survivor, leakedKey } = parse(line) ?? {}
      if (typeof person === 'string') keepLatest(erased, person, at)
      else if (typeof survivor === 'string') keepLatest(kept, survivor, at)
      else if (typeof leakedKey === 'string') leakedKeys.add(leakedKey)
      else unreadable++
    }
  const people = [...erased].filter(([id, at]) => at > (kept.get(id) ?? '')).map(([id]) => id)
  return { people, leakedKeys: [...leakedKeys], unreadable }
}

function keepLatest(times: Map<string, string>, id: string, at: unknown): void {
  // A line without a time is the latest: it must not bring a person back.
  const time = typeof at === 'string' ? at : '~'
  if (time > (times.get(id) ?? '')) times.set(id, time)
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
