import { useTranslations } from 'next-intl'
import { Notice } from '#app/_ui/notice.tsx'
import type { Flash } from '#lib/http/flash'
import type { Messages } from '#lib/text/messages'
import { useConsoleProblems } from './console-problems.ts'

type Done = keyof Messages['console']['done']

/** The result of the last form, or a problem that is about no field. */
export function ConsoleResult({ flash }: { flash: Flash }) {
  const t = useTranslations('console.done')
  const [problem] = useConsoleProblems(flash.problems.filter(({ field }) => field === undefined))
  if (problem) return <Notice kind="danger" title={problem.text} live />
  return flash.done && t.has(flash.done as Done) ? <Notice kind="success" title={t(flash.done as Done)} live /> : null
}
