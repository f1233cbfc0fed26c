import { useTranslations } from 'next-intl'
import { useDuration } from '#app/_ui/use-duration.ts'
import type { Flash } from '#lib/http/flash'
import type { Messages } from '#lib/text/messages'

type Code = keyof Messages['console']['problems']

/** Returns the texts of the problems of the console's forms. */
export function useConsoleProblems(reported: Flash['problems']): { field?: string; text: string }[] {
  const t = useTranslations('console.problems')
  const duration = useDuration()
  return reported.flatMap(({ field, code, wait }) =>
    t.has(code as Code) ? [{ ...(field && { field }), text: t(code as Code, { time: duration(wait) }) }] : [],
  )
}
