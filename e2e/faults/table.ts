import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { inFull } from '../in-full.ts'

const file = resolve(import.meta.dirname, '../../docs/faults.md')

export type Row = {
  fault: string
  installation: string
  people: string
  apps: string
  outage: number
  /** After a failover, the seconds from the new primary to the first good answer to an app. */
  afterNewPrimary: unknown
  slowest: number
  acknowledged: number
  lost: number
  doubled: number
}

/** Writes a row of docs/faults.md in place of the row of the same fault and installation. Only `npm run faults` writes. */
export function writeRow(row: Row): void {
  if (!inFull) return
  const seconds = (value: number) => (value === 0 ? 'none' : `${value.toFixed(1)} s`)
  const { afterNewPrimary } = row
  const after = typeof afterNewPrimary === 'number' ? `, of it ${seconds(afterNewPrimary)} with the new primary` : ''
  const { fault, installation, people, apps, outage, slowest, acknowledged, lost, doubled } = row
  const key = `| ${fault} | ${installation} |`
  const line = `${key} ${people} | ${apps} | ${seconds(outage)}${after} | ${seconds(slowest)} | ${acknowledged} | ${lost} | ${doubled} |`
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  const at = lines.findIndex((one) => one.startsWith(key))
  if (at >= 0) lines[at] = line
  else lines.push(line)
  writeFileSync(file, `${lines.join('\n')}\n`)
}
