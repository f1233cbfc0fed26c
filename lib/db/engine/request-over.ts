import { currentRequest } from '#lib/queue/current-request'

/** Thrown instead of running a statement of a request that was refused because its time was over. */
class RequestOver extends Error {
  // PostgreSQL's code of a timeout (57014, query_canceled), so that the error counts as unavailable.
  readonly code = '57014'
}

/** Throws if the client of the request has already read that it was refused (design §1): nothing may change after that. */
export function refuseWhenOver(request = currentRequest()): void {
  if (request?.isOver) throw new RequestOver('The request was refused before this statement.')
}
