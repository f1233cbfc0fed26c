import type { FailurePlace } from './failure.ts'

/** Writes where a page of failures ends, for the address of the next page. */
export const writePlace = ({ lastAt, id }: FailurePlace): string => `${lastAt.getTime()}.${id}`

/** Reads a place; undefined for any text that is none, so that the first page is shown. */
export function readPlace(text: string): FailurePlace | undefined {
  const [, time, id] = /^(\d{1,15})\.([\w-]{1,64})$/.exec(text) ?? []
  return id === undefined ? undefined : { lastAt: new Date(Number(time)), id }
}
