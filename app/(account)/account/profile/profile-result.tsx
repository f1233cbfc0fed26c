import { useTranslations } from 'next-intl'
import { Notice } from '#app/_ui/notice.tsx'

/** The result of the profile form. */
export function ProfileResult({ done }: { done: string | undefined }) {
  const t = useTranslations('profile')
  if (done !== 'saved' && done !== 'unchanged') return null
  return (
    <Notice kind={done === 'saved' ? 'success' : 'info'} title={t(done)} live>
      {t(`${done}What`)}
    </Notice>
  )
}

/** The result of the picture form. */
export function PictureResult({ done }: { done: string | undefined }) {
  const t = useTranslations('picture')
  if (done === 'unchanged') return <Notice title={t('unchanged')} live />
  if (done !== 'saved' && done !== 'replaced' && done !== 'removed') return null
  return (
    <Notice kind="success" title={t(done)} live>
      {t(`${done}What`)}
    </Notice>
  )
}
