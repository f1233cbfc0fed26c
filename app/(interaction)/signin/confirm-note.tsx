import { useTranslations } from 'next-intl'
import { Notice } from '#app/_ui/notice.tsx'

/** Says that the app requires a new sign-in although a session exists. */
export function ConfirmNote({ username }: { username: string }) {
  const t = useTranslations('signin')
  const who = (chunks: React.ReactNode) => <bdi translate="no">{chunks}</bdi>
  return <Notice title={t('confirm')}>{t.rich('confirmWhy', { name: username, who })}</Notice>
}
