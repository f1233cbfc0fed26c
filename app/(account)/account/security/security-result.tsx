import { useTranslations } from 'next-intl'
import { Notice } from '#app/_ui/notice.tsx'
import type { Flash } from '#lib/http/flash'
import type { Messages } from '#lib/text/messages'
import { useSecurityProblems } from './security-problems.ts'

type Done = keyof Messages['security']['done']

/** The result of the last form, or a problem that is about no field. */
export function SecurityResult({ flashes }: { flashes: Flash[] }) {
  const t = useTranslations('security.done')
  const done = flashes.find((flash) => flash.done)?.done
  const [problem] = useSecurityProblems(flashes.flatMap(({ problems }) => problems.filter(({ field }) => !field)))
  if (problem) return <Notice kind="danger" title={problem.text} live />
  return done && t.has(done as Done) ? <Notice kind="success" title={t(done as Done)} live /> : null
}
