import { useTranslations } from 'next-intl'
import { Day } from '#app/_ui/day.tsx'
import { inOneLine } from '#app/_ui/in-one-line.ts'
import { Notice } from '#app/_ui/notice.tsx'
import { useConsoleProblems } from '#app/(console)/console/console-problems.ts'
import type { RefusedName } from '#lib/console/app/app-name'
import type { AppOffer } from '#lib/console/transfer/store'

/** The names of an offered app that the team cannot use, each with the reason, and what to do. */
export function RefusedNames({ names, offer }: { names: RefusedName[]; offer: AppOffer }) {
  const t = useTranslations('consoleTransfer.offer')
  const reasons = useConsoleProblems(names.map(({ code }) => ({ code })))
  if (names.length === 0) return null
  return (
    <Notice kind="attention" title={t('names')}>
      {names.map(({ name }, index) => (
        <p key={name}>
          <strong>
            <bdi translate="no">{inOneLine(name)}</bdi>
          </strong>{' '}
          {reasons[index]?.text}
        </p>
      ))}
      <p>{t.rich('namesWhat', { team: inOneLine(offer.from.name), day: () => <Day at={offer.expiresAt} /> })}</p>
    </Notice>
  )
}
