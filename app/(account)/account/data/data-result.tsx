import { useTranslations } from 'next-intl'
import { Notice } from '#app/_ui/notice.tsx'

/** The result of the last form about the account's data. */
export function DataResult({ done }: { done: string | undefined }) {
  const t = useTranslations('data')
  if (done !== 'asked' && done !== 'kept') return null
  return (
    <Notice kind={done === 'kept' ? 'success' : 'info'} title={t(done)} live>
      {t(`${done}What`)}
    </Notice>
  )
}
