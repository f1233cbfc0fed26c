/**
 * Writes a JSON value of an outsider for a log. An object can have a member `toString` that is no function, so it is not
 * converted.
 */
export const showValue = (value: unknown, most: number): string =>
  typeof value === 'object' && value !== null ? '(object)' : String(value).slice(0, most)
