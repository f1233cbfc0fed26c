import { useTranslations } from 'next-intl'
import { Notice } from '#app/_ui/notice.tsx'
import { type Problem, ProblemSummary } from '#app/_ui/problem-summary.tsx'
import { aliasWordLimits } from '#lib/account/hide-my-email/alias-words'
import type { Flash } from '#lib/http/flash'

/** The result of the last form. `plain` omits the text that is only true for an address that accepts mail. */
export function Outcome({ flash, plain }: { flash: Flash; plain?: boolean }) {
  const t = useTranslations('hideMyEmail')
  const { done } = flash
  const worded = useAliasProblems(flash)
  return (
    <>
      <ProblemSummary problems={worded} />
      {done && (
        <Notice kind="success" title={t(`done.${done as Done}.title`)} live>
          {!(plain && (done === 'on' || done === 'made')) && t(`done.${done as Done}.text`)}
        </Notice>
      )}
    </>
  )
}

/** The problems of the last form in the language of the page. */
export function useAliasProblems({ problems }: Flash): Problem[] {
  const t = useTranslations('hideMyEmail.problems')
  return problems.map(({ field, code, wait = 0 }) => ({
    ...(field && { field }),
    text: t(code as ProblemCode, {
      minutes: wait,
      hours: wait,
      label: aliasWordLimits.label,
      note: aliasWordLimits.note,
    }),
  }))
}

type ProblemCode =
  | 'label_long'
  | 'label_characters'
  | 'note_long'
  | 'note_characters'
  | 'gone'
  | 'meanwhile'
  | 'unbound'
  | 'not_shared'
  | 'too_many'
  | 'test_closed'
  | 'test_unavailable'
  | 'test_too_many'
  | 'choice'
  | 'label_empty'
  | 'not_offered'
  | 'unbound_by_hand'
  | 'enough'
  | 'made_too_many'
  | 'not_by_hand'
type Done =
  | 'on'
  | 'off'
  | 'described'
  | 'hidden'
  | 'regular'
  | 'test_sent'
  | 'new_apps_hidden'
  | 'new_apps_regular'
  | 'made'
  | 'deleted'
