import { useTranslations } from 'next-intl'
import { Notice } from '#app/_ui/notice.tsx'
import { ProblemSummary } from '#app/_ui/problem-summary.tsx'
import type { Flash } from '#lib/http/flash'

/** The result of the last form. */
export function Outcome({ flash }: { flash: Flash }) {
  const t = useTranslations('connections')
  const problems = flash.problems.map(({ field, code, wait = 0 }) => ({
    ...(field && { field }),
    text: t(`problems.${code as ProblemCode}`, { minutes: wait }),
  }))
  return (
    <>
      <ProblemSummary problems={problems} />
      {flash.done && (
        <Notice kind="success" title={t(`done.${flash.done as Done}.title`)} live>
          {t(`done.${flash.done as Done}.text`)}
        </Notice>
      )}
    </>
  )
}

type ProblemCode = 'gone' | 'unbound' | 'meanwhile' | 'too_many'
type Done = 'changed' | 'withdrawn'
