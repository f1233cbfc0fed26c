import { spawnSync } from 'node:child_process'

/**
 * Reads every file below a folder, so that the system keeps them in memory. Some virtual machines take pages back that were
 * not used for some minutes, although memory is free; the next request for one would wait for the disk.
 */
export function readFiles(folder: string): void {
  const { error } = spawnSync('find', [folder, '-type', 'f', '-exec', 'cat', '{}', '+'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (error) throw error
}
