import { useFormatter, useTranslations } from 'next-intl'
import { useScopeNames } from '#app/_sharing/scope-names.ts'
import { Notice } from '#app/_ui/notice.tsx'
import type { ScopeRefusal } from '#lib/console/app/scope-refusal'

/** The scopes of an app or an API that wait for an operator, and those that an operator refused. */
export function ScopeReview({ waiting, refusal, ofApi }: ScopeReviewProps) {
  const t = useTranslations('consoleApps.review')
  const apis = useTranslations('consoleApis')
  const format = useFormatter()
  const [waits, refused] = [useShownScopes(waiting), useShownScopes(refusal?.scopes ?? [])]
  const list = (scopes: string[]) => format.list(scopes, { type: 'unit' })
  return (
    <>
      {waiting.length > 0 && (
        <Notice kind="attention" title={t('title')}>
          {ofApi ? apis('waiting', { scopes: list(waits) }) : t('what', { scopes: list(waits) })}
        </Notice>
      )}
      {refusal && (
        <Notice kind="danger" title={t('refused', { scopes: list(refused) })}>
          {refusal.reason !== '' && <p>{t('reason', { reason: refusal.reason })}</p>}
          {!ofApi && <p>{t('again')}</p>}
        </Notice>
      )}
    </>
  )
}

type ScopeReviewProps = { waiting: string[]; refusal: ScopeRefusal | undefined; ofApi?: boolean }

/** Returns the words of each scope; of the bundle `profile` its name, because it has no words of its own. */
function useShownScopes(scopes: string[]): string[] {
  const worded = useScopeNames(
    scopes.filter((scope) => scope !== 'profile'),
    undefined,
  )
  return scopes.includes('profile') ? [...worded, 'profile'] : worded
}
