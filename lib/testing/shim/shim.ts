import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { ensureProgram } from '../../../bin/apt.mjs'

/** The faults of a process, all optional. A file that is named here switches its fault on while it exists. */
type Faults = {
  /** The folder whose files are recorded, and which can be full. */
  folder?: string
  /** The file that records each write, truncation, fsync and unlink in the folder, in order (record-log.ts). */
  log?: string
  /** While this file exists, no file of the folder can grow (ENOSPC). */
  full?: string
  /** fdatasync fails for the files of the folder after this many milliseconds (EIO). SQLite itself uses fsync. */
  noFdatasync?: number | undefined
  /** While this file exists, no name can be resolved. */
  noDns?: string
  /** The file system of the folder has no hard links (EPERM). */
  noLinks?: boolean
  /** Seconds by which the clock is fast. */
  clock?: number
}

/** Compiles shim.c with gcc. Returns a function that makes the environment of a process with faults. */
export async function buildShim() {
  const compiler = await ensureProgram('gcc')
  const own = mkdtempSync(join(tmpdir(), 'postern-shim-'))
  // PostgreSQL runs as another user.
  chmodSync(own, 0o755)
  const library = join(own, 'shim.so')
  const source = resolve(import.meta.dirname, 'shim.c')
  const args = ['-O1', '-shared', '-fPIC', '-Wall', '-Werror', '-o', library, source, '-ldl', '-lpthread']
  const { status, stderr } = spawnSync(compiler, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`gcc cannot compile the shim; libc6-dev may be missing:\n${stderr}`)
  return ({
    folder = '',
    log = '',
    full = '',
    noFdatasync,
    noDns = '',
    noLinks = false,
    clock = 0,
  }: Faults): Record<string, string> => ({
    LD_PRELOAD: library,
    SHIM_FOLDER: folder,
    SHIM_LOG: log,
    SHIM_FULL: full,
    SHIM_NO_FDATASYNC: noFdatasync === undefined ? '' : String(noFdatasync),
    SHIM_NO_DNS: noDns,
    SHIM_NO_LINKS: noLinks ? '1' : '',
    SHIM_CLOCK: clock === 0 ? '' : String(clock),
  })
}
