// The front door drops these headers of a client and sets its own.

/** The address of the client. */
export const addressHeader = 'x-postern-client'

/** Present where the client is on this machine. */
export const localHeader = 'x-postern-local'
