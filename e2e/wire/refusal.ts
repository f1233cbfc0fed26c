import type { Answer } from './send.ts'

/** Returns the status and the error code of a refusal (RFC 6749 §5.2). */
export const refusalOf = ({ status, json }: Answer): string => `${status} ${json().error}`
