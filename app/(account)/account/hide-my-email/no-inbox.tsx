import { useTranslations } from 'next-intl'
import { Notice } from '#app/_ui/notice.tsx'

/** Relay addresses lead to the bound one: without it they lead nowhere. */
export function NoInbox() {
  const t = useTranslations('hideMyEmail.unbound')
  return (
    <Notice kind="attention" title={t('title')}>
      <p>
        {t('text')} <a href="/account/email/change">{t('add')}</a>
      </p>
    </Notice>
  )
}
