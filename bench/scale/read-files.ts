import { spawnSync } from 'node:child_process'

/**
 * Reads every file below a folder, so that the system has it in memory. Some virtual machines take pages back that were not
 * used for a minute, although memory is free, and the first requests for these would wait for the disk.
 */
export function readFiles(folder: string): void {
  spawnSync('find', [folder, '-type', 'f', '-exec', 'cat', '{}', '+'], { stdio: 'ignore' })
}
