import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/** Returns the paths of the programs that files in a folder start as threads. */
export function programsOfThreads(folder: string): string[] {
  const lines = execFileSync('grep', ['-rE', "Worker\\(new URL\\('", folder], { encoding: 'utf8' })
  const found = lines.matchAll(/^(.+)\/[^:/]+:.*URL\('([^']+)/gm)
  return [...found].map(([, beside = '', program = '']) => join(beside, program))
}
