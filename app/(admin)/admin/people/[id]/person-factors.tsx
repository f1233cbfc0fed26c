import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Card } from '#app/_ui/card.tsx'
import { Day } from '#app/_ui/day.tsx'
import { TimeAgo } from '#app/_ui/time-ago.tsx'
import { Facts } from '#app/(admin)/admin/facts.tsx'
import type { PersonView } from '#lib/admin/people/store'

/** The kinds of a person's ways to sign in, with their dates. */
export function PersonFactors({ person }: { person: PersonView }) {
  const t = useTranslations('admin.person')
  const { passkeys, authenticatorSince, recoveryCodes, passwordSetAt } = person
  const since = (at: Date) => t.rich('since', { time: (() => <Day at={at} />) as () => ReactNode })
  const password = passwordSetAt ? since(passwordSetAt) : t('set')
  return (
    <Card title={t('factors')}>
      <Facts
        facts={[
          [t('password'), person.hasPassword ? password : t('none')],
          ...passkeys.map(
            ({ createdAt, lastUsedAt }, index) =>
              [
                t('passkey', { number: index + 1 }),
                <span key="passkey">
                  {since(createdAt)}
                  {lastUsedAt && (
                    <> · {t.rich('used', { time: (() => <TimeAgo at={lastUsedAt} />) as () => ReactNode })}</>
                  )}
                </span>,
              ] as const,
          ),
          [t('authenticator'), authenticatorSince && since(authenticatorSince)],
          [t('codes'), recoveryCodes && t('codesLeft', { count: recoveryCodes.left })],
        ]}
      />
    </Card>
  )
}
