import { useTranslations } from 'next-intl'
import { Notice } from '#app/_ui/notice.tsx'

/** The app wants to be sure: says so to somebody who is signed in already. */
export function ConfirmNote({ username }: { username: string }) {
  const t = useTranslations('signin')
  const who = (chunks: React.ReactNode) => <bdi translate="no">{chunks}</bdi>
  return <Notice title={t('confirm')}>{t.rich('confirmWhy', { name: username, who })}</Notice>
}
