import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'

/** What must stay ended after a restore: an erased person, or a signing key that leaked. Holds ids only. */
export type Ending = { at: string } & ({ person: string } | { leakedKey: string })

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
      writeSync(descriptor, `\n${JSON.stringify(ending)}\n`)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  }
}

/** Reads journals, and counts the lines that cannot be read. */
export function readJournals(files: string[]): { people: string[]; leakedKeys: string[]; unreadable: number } {
  const lines = files.flatMap((file) => readFileSync(file, 'utf8').split('\n')).filter((line) => line.trim() !== '')
  const endings = lines.map(parse)
  const ids = (name: 'person' | 'leakedKey') => [
    ...new Set(endings.flatMap((one) => (typeof one?.[name] === 'string' ? [one[name]] : []))),
  ]
  return {
    people: ids('person'),
    leakedKeys: ids('leakedKey'),
    unreadable: endings.filter((one) => one === undefined).length,
  }
}

function parse(line: string): { person?: unknown; leakedKey?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
