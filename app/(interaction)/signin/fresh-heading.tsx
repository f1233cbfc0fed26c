import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { JourneyHeading } from '#app/_ui/journey-heading.tsx'

/** Why somebody signs in once more (security checklist, "Step-up"), and that they come right back. */
export function FreshHeading({ username }: { username: string }) {
  const t = useTranslations('signin')
  const who = (chunks: ReactNode) => (
    <bdi translate="no">
      <strong>{chunks}</strong>
    </bdi>
  )
  return (
    <JourneyHeading title={t('freshTitle')}>
      <p>{t.rich('freshWhy', { name: username, who })}</p>
    </JourneyHeading>
  )
}
