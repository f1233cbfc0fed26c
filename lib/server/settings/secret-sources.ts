import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'

type Given = Record<string, string | undefined>
/** The text of a key, or why there is none: the rest of a sentence that begins with the name of the setting. */
type Found = { text: string } | { problem: string }

const longest = 1024

/**
 * Returns the master keys that the settings name, each by its value, a file or a command. A vault can keep the key then,
 * and it is in no environment that other programs read.
 */
export function readSecrets(given: Given, seconds = 10): { values: Given; problems: string[] } {
  const values: Given = {}
  const problems: string[] = []
  for (const name of ['SECRET_KEY', 'SECRET_KEY_PREVIOUS']) {
    const named = [name, `${name}_FILE`, `${name}_COMMAND`].filter((source) => given[source] !== undefined)
    const [source] = named
    if (named.length > 1) problems.push(`${named.join(' and ')} are set: keep one of them, for one key has one source.`)
    if (named.length !== 1 || source === undefined || source === name) continue
    const value = given[source] as string
    const found = source.endsWith('_FILE') ? fromFile(value) : fromCommand(value, given, seconds)
    if ('problem' in found) problems.push(`${source} ${found.problem}`)
    else if (isKey(found.text)) values[name] = found.text
    else problems.push(`${source} must give 32 random bytes in base64url (43 characters) and nothing else.`)
  }
  return { values, problems }
}

/** Returns whether a text has the form of a master key. */
export const isKey = (text: string) => /^[\w-]{43}=?$/.test(text)

/** Reads a file that only its user and group can read. A pipe or a device could wait for ever. */
function fromFile(path: string): Found {
  try {
    const file = statSync(path)
    if (!file.isFile()) return { problem: `names ${path}, which is not a file.` }
    if (file.mode & 0o007)
      return { problem: `names ${path}, which every user of this machine can read: chmod 400 ${path}` }
    if (file.size > longest) return { problem: `names ${path}, which is too large for a key.` }
    return { text: withoutNewline(readFileSync(path, 'utf8')) }
  } catch (fault) {
    return { problem: `names ${path}, which cannot be read (${(fault as NodeJS.ErrnoException).code}).` }
  }
}

/** Runs a command by the shell, as an operator would. What it says on stderr is not shown: it may contain the key. */
function fromCommand(command: string, env: Given, seconds: number): Found {
  const { error, status, signal, stdout } = spawnSync('/bin/sh', ['-c', command], {
    env: env as NodeJS.ProcessEnv,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: seconds * 1000,
    killSignal: 'SIGKILL',
    maxBuffer: longest,
  })
  const code = (error as NodeJS.ErrnoException | undefined)?.code
  if (code === 'ETIMEDOUT') return { problem: `ran longer than ${seconds} seconds. Run it by hand to see why.` }
  if (code === 'ENOBUFS') return { problem: 'printed more than a key.' }
  if (error) return { problem: `could not run (${code}).` }
  if (status !== 0) return { problem: `ended with ${signal ?? `code ${status}`}. Run it by hand to see why.` }
  return { text: withoutNewline(stdout) }
}

const withoutNewline = (text: string) => text.replace(/\r?\n$/, '')
