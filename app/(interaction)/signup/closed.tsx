import { useTranslations } from 'next-intl'
import { InteractionHeading } from '#app/_ui/interaction-heading.tsx'
import { ToSignIn } from './to-sign-in.tsx'

/** Shown where only the operator creates accounts. */
export function Closed({ hiddenFields, service }: { hiddenFields: Record<string, string>; service: string }) {
  const t = useTranslations('signup')
  return (
    <>
      <InteractionHeading title={t('offHeading')}>
        <p>{t('off', { service })}</p>
      </InteractionHeading>
      <ToSignIn hiddenFields={hiddenFields} />
    </>
  )
}
