import { table } from './table.ts'

/** Returns one line for each field; each further item of a list has a line of its own. */
export function describeRecord(record: Record<string, unknown>): string {
  const rows = Object.entries(record).flatMap(([name, value]) => {
    const shown = Array.isArray(value) ? value.map(show) : [show(value)]
    return (shown.length > 0 ? shown : ['']).map((line, index) => [index === 0 ? name.replaceAll('_', ' ') : '', line])
  })
  return table(['', ''], rows).trimStart()
}

function show(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'object') return Object.values(value).map(show).join(' ')
  return String(value)
}
