import { useTranslations } from 'next-intl'
import { Joint } from '#app/_ui/joint.tsx'
import { Notice } from '#app/_ui/notice.tsx'

/** Relay addresses lead to the bound one: without it they lead nowhere. */
export function NoInbox() {
  const t = useTranslations('hideMyEmail.unbound')
  return (
    <Notice kind="attention" title={t('title')}>
      <p>
        {t('text')}
        <Joint />
        <a href="/account/email/change">{t('add')}</a>
      </p>
    </Notice>
  )
}
