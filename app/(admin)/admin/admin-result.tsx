import { useTranslations } from 'next-intl'
import { Notice } from '#app/_ui/notice.tsx'
import { resetHours } from '#lib/admin/people/factor-reset'
import type { Flash } from '#lib/http/flash'
import type { Messages } from '#lib/text/messages'

type Done = keyof Messages['admin']['done']
type Code = keyof Messages['admin']['problems']

/** The result of the last form, or the problem that prevented it. */
export function AdminResult({ flash }: { flash: Flash }) {
  const t = useTranslations('admin')
  const [problem] = flash.problems.filter(({ field }) => field === undefined)
  if (problem && t.has(`problems.${problem.code as Code}`))
    return <Notice kind="danger" title={t(`problems.${problem.code as Code}`)} live />
  return flash.done && t.has(`done.${flash.done as Done}`) ? (
    <Notice kind="success" title={t(`done.${flash.done as Done}`, { hours: resetHours })} live />
  ) : null
}
