import { useFormatter, useTranslations } from 'next-intl'
import { Notice } from '#app/_ui/notice.tsx'
import type { ScopeRefusal } from '#lib/console/app/scope-refusal'

/** The scopes of an app or an API that wait for an operator, and those that an operator refused. */
export function ScopeReview({ waiting, refusal, ofApi }: ScopeReviewProps) {
  const t = useTranslations('consoleApps.review')
  const apis = useTranslations('consoleApis')
  const format = useFormatter()
  const list = (scopes: string[]) => format.list(scopes, { type: 'unit' })
  return (
    <>
      {waiting.length > 0 && (
        <Notice kind="attention" title={t('title')}>
          {ofApi ? apis('waiting', { scopes: list(waiting) }) : t('what', { scopes: list(waiting) })}
        </Notice>
      )}
      {refusal && (
        <Notice kind="danger" title={t('refused', { scopes: list(refusal.scopes) })}>
          {refusal.reason !== '' && <p>{t('reason', { reason: refusal.reason })}</p>}
          {!ofApi && <p>{t('again')}</p>}
        </Notice>
      )}
    </>
  )
}

type ScopeReviewProps = { waiting: string[]; refusal: ScopeRefusal | undefined; ofApi?: boolean }
