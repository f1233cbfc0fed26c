/**
 * Parses a time in the query (ISO 8601 with milliseconds, UTC); undefined if it is malformed, or in a year that a
 * database may refuse.
 */
export function readMoment(value: string | string[] | undefined): Date | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)) return undefined
  const moment = new Date(value)
  const year = moment.getUTCFullYear()
  return year >= 1970 && year < 9999 ? moment : undefined
}
