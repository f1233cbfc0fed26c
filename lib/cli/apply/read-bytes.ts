import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Call } from '#lib/cli/command'

/** Returns the content of a file, or of stdin for `-`, or the reason why it cannot be read. */
export async function readBytes(
  file: string,
  call: Pick<Call, 'readStdin'>,
): Promise<Uint8Array | { problem: string }> {
  if (file === '-') return call.readStdin()
  try {
    return readFileSync(file)
  } catch (fault) {
    const { code } = fault as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : String(code)
    return { problem: `cannot be read (${why}): ${resolve(file)}` }
  }
}
