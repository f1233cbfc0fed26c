import { useTranslations } from 'next-intl'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { ErrorCard } from '#app/_ui/error-card.tsx'
import { pathWith } from '#lib/http/redirect'

/** Shown where only the operator creates accounts. */
export function Closed({ hiddenFields, service }: { hiddenFields: Record<string, string>; service: string }) {
  const t = useTranslations('signup')
  return (
    <ErrorCard
      title={t('offHeading')}
      next={t('offNext')}
      actions={<ButtonLink href={pathWith('/signin', hiddenFields)}>{t('signIn')}</ButtonLink>}
    >
      <p>{t('off', { service })}</p>
    </ErrorCard>
  )
}
