import { useTranslations } from 'next-intl'
import { Assurance } from '#app/_ui/assurance.tsx'
import { inOneLine } from '#app/_ui/in-one-line.ts'
import { InteractionHeading } from '#app/_ui/interaction-heading.tsx'
import { DestinationMarks } from '#app/(interaction)/destination-marks.tsx'
import type { Destination } from '#lib/flow/destination'

/** The destination of the sign-in: the app and its team, or the account. */
export function SignInHeading({
  destination,
  issuer,
  service,
}: {
  destination: Destination
  issuer: string
  service: string
}) {
  const t = useTranslations('signin')
  if (destination.kind === 'account') return <InteractionHeading title={t('accountHeading', { service })} />
  const { client } = destination.interaction
  return (
    <InteractionHeading
      above={<DestinationMarks destination={destination} issuer={issuer} />}
      title={t('heading', { app: inOneLine(client.name) })}
    >
      <p>{t('madeBy', { app: client.name, team: client.teamName })}</p>
    </InteractionHeading>
  )
}

/** Says that the app does not see the password. */
export function Assured({ destination }: { destination: Destination }) {
  const t = useTranslations('signin')
  if (destination.kind === 'account') return null
  return <Assurance>{t('private', { app: destination.interaction.client.name })}</Assurance>
}
