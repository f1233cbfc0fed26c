import { useTranslations } from 'next-intl'
import { Notice } from '#app/_ui/notice.tsx'
import type { Flash } from '#lib/http/flash'
import type { Messages } from '#lib/text/messages'
import { useSecurityProblems } from './security-problems.ts'

type Done = keyof Messages['security']['done']

/** The result of the last form, or a problem that is about no field. */
export function SecurityResult({ flashes }: { flashes: Flash[] }) {
  const t = useTranslations('security.done')
  const strengths = useTranslations('passwordStrength')
  const { done, kept } = flashes.find((flash) => flash.done) ?? {}
  const strength = kept?.strength as keyof Messages['passwordStrength']
  const [problem] = useSecurityProblems(flashes.flatMap(({ problems }) => problems.filter(({ field }) => !field)))
  if (problem) return <Notice kind="danger" title={problem.text} live />
  if (!(done && t.has(done as Done))) return null
  return (
    <Notice kind="success" title={t(done as Done)} live>
      {strength && strengths.has(strength) && strengths(strength)}
    </Notice>
  )
}
