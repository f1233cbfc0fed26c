import { useTranslations } from 'next-intl'
import { Notice } from '#app/_ui/notice.tsx'
import { SentenceSpace } from '#app/_ui/sentence-space.tsx'

/** Says that relay addresses forward to the bound address, and that none is bound. */
export function NoInbox() {
  const t = useTranslations('hideMyEmail.unbound')
  return (
    <Notice kind="attention" title={t('title')}>
      <p>
        {t('text')}
        <SentenceSpace />
        <a href="/account/email/change">{t('add')}</a>
      </p>
    </Notice>
  )
}
