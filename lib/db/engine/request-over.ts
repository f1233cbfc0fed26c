import { currentRequest } from '#lib/queue/current-request'

/** Thrown instead of a statement for a request that was refused because its time was over. */
class RequestOver extends Error {
  // A timeout by PostgreSQL's name for it (57014, query_canceled): the request counts as unavailable.
  readonly code = '57014'
}

/** Lets nothing more be done for a request whose client has read that it was refused (design §1). */
export function refuseWhenOver(request = currentRequest()): void {
  if (request?.isOver) throw new RequestOver('The request was refused before this statement.')
}
