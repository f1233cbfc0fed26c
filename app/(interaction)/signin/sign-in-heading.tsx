import { useTranslations } from 'next-intl'
import { Assurance } from '#app/_ui/assurance.tsx'
import { inOneLine } from '#app/_ui/in-one-line.ts'
import { JourneyHeading } from '#app/_ui/journey-heading.tsx'
import { MeetingOf } from '#app/(interaction)/meeting-of.tsx'
import type { Destination } from '#lib/flow/destination'

/** Whom somebody signs in for: the app and who makes it, or their own account. */
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
  if (destination.kind === 'account') return <JourneyHeading title={t('accountHeading', { service })} />
  const { client } = destination.interaction
  return (
    <JourneyHeading
      above={<MeetingOf destination={destination} issuer={issuer} />}
      title={t('heading', { app: inOneLine(client.name) })}
    >
      <p>{t('madeBy', { app: client.name, team: client.teamName })}</p>
    </JourneyHeading>
  )
}

/** What stays private, said where the password is typed. */
export function Assured({ destination }: { destination: Destination }) {
  const t = useTranslations('signin')
  if (destination.kind === 'account') return null
  return <Assurance>{t('private', { app: destination.interaction.client.name })}</Assurance>
}
