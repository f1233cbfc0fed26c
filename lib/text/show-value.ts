/**
 * Formats an untrusted JSON value for a log. Does not convert an object, whose `toString` may be a member that is no
 * function.
 */
export const showValue = (value: unknown, most: number): string =>
  typeof value === 'object' && value !== null ? '(object)' : String(value).slice(0, most)
