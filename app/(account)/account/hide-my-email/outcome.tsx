import { useTranslations } from 'next-intl'
import { Notice } from '#app/_ui/notice.tsx'
import { ProblemSummary } from '#app/_ui/problem-summary.tsx'
import type { Flash } from '#lib/http/flash'

/** The result of the last form. `plain` omits the text that is only true for an address that accepts mail. */
export function Outcome({ flash: { done, problems }, plain }: { flash: Flash; plain?: boolean }) {
  const t = useTranslations('hideMyEmail')
  const worded = problems.map(({ code, wait = 0 }) => ({
    text: t(`problems.${code as ProblemCode}`, { minutes: wait }),
  }))
  return (
    <>
      <ProblemSummary problems={worded} />
      {done && (
        <Notice kind="success" title={t(`done.${done as Done}.title`)} live>
          {!(plain && done === 'on') && t(`done.${done as Done}.text`)}
        </Notice>
      )}
    </>
  )
}

type ProblemCode =
  | 'other_account'
  | 'gone'
  | 'meanwhile'
  | 'unbound'
  | 'not_shared'
  | 'too_many'
  | 'test_closed'
  | 'test_unavailable'
  | 'test_too_many'
  | 'choice'
type Done = 'on' | 'off' | 'hidden' | 'regular' | 'test_sent' | 'words' | 'new_apps_hidden' | 'new_apps_regular'
