import { useTranslations } from 'next-intl'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { ErrorCard } from '#app/_ui/error-card.tsx'
import { undoDays } from '#lib/account/email/undo'

/** The link was used, is too old, or is not complete. */
export function UndoOver() {
  const t = useTranslations('undoEmail.over')
  return (
    <ErrorCard
      title={t('title')}
      next={t('next')}
      actions={<ButtonLink href="/account/email">{t('action')}</ButtonLink>}
    >
      <p>{t('what', { days: undoDays })}</p>
    </ErrorCard>
  )
}
