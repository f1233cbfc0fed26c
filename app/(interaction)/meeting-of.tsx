import { Meeting } from '#app/_ui/meeting.tsx'
import { pictureUrl } from '#app/_ui/picture-url.ts'
import type { Destination } from '#lib/flow/destination'

/** The app's mark meeting ours, on every step of the way to it; nothing on the way to one's own account. */
export function MeetingOf({ destination, issuer }: { destination: Destination; issuer: string }) {
  if (destination.kind === 'account') return null
  const { client } = destination.interaction
  return <Meeting app={client.name} logo={pictureUrl(issuer, client.logoFile)} />
}
