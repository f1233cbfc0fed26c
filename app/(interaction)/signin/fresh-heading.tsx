import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { InteractionHeading } from '#app/_ui/interaction-heading.tsx'

/** Says why a recent sign-in is required (security checklist, "Step-up"). */
export function FreshHeading({ username }: { username: string }) {
  const t = useTranslations('signin')
  const who = (chunks: ReactNode) => (
    <bdi translate="no">
      <strong>{chunks}</strong>
    </bdi>
  )
  return (
    <InteractionHeading title={t('freshTitle')}>
      <p>{t.rich('freshWhy', { name: username, who })}</p>
    </InteractionHeading>
  )
}
