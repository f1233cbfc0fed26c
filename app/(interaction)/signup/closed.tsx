import { useTranslations } from 'next-intl'
import { JourneyHeading } from '#app/_ui/journey-heading.tsx'
import { ToSignIn } from './to-sign-in.tsx'

/** Where the operator makes all accounts themselves. */
export function Closed({ carried, service }: { carried: Record<string, string>; service: string }) {
  const t = useTranslations('signup')
  return (
    <>
      <JourneyHeading title={t('offHeading')}>
        <p>{t('off', { service })}</p>
      </JourneyHeading>
      <ToSignIn carried={carried} />
    </>
  )
}
