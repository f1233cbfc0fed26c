import { LinkedMarks } from '#app/_ui/linked-marks.tsx'
import { pictureUrl } from '#app/_ui/picture-url.ts'
import type { Destination } from '#lib/flow/destination'

/** The logo of the destination app beside the mark of the service; nothing when the destination is the account. */
export function DestinationMarks({ destination, issuer }: { destination: Destination; issuer: string }) {
  if (destination.kind === 'account') return null
  const { client } = destination.interaction
  return <LinkedMarks app={client.name} logo={pictureUrl(issuer, client.logoFile)} />
}
