import { useTranslations } from 'next-intl'
import { Card } from '#app/_ui/card.tsx'
import { Day } from '#app/_ui/day.tsx'
import { TimeAgo } from '#app/_ui/time-ago.tsx'
import { Facts } from '#app/(admin)/admin/facts.tsx'
import { Moment } from '#app/(admin)/admin/moment.tsx'
import type { PersonView } from '#lib/admin/people/store'

/** The state of an account, and counts of its sessions and apps. */
export function PersonState({ person, waitsUntil }: { person: PersonView; waitsUntil: Date | undefined }) {
  const t = useTranslations('admin.person')
  const { disabledAt, deleteAfter, mailPausedAt, lastSeenAt, reset } = person
  return (
    <Card title={t('account')}>
      <Facts
        facts={[
          [t('state'), <State key="state" person={person} />],
          [t('role'), person.isOperator && t('isOperator')],
          [t('name'), person.name && <bdi translate="no">{person.name}</bdi>],
          [
            t('email'),
            <bdi key="email" translate="no">
              {person.email ?? t('noEmail')}
            </bdi>,
          ],
          [t('mailPaused'), mailPausedAt && <TimeAgo at={mailPausedAt} />],
          [t('language'), person.locale],
          [t('id'), <code key="id">{person.id}</code>],
          [t('created'), <TimeAgo key="created" at={person.createdAt} />],
          [t('disabledSince'), disabledAt && <TimeAgo at={disabledAt} />],
          [t('deletedOn'), deleteAfter && <Day at={deleteAfter} />],
          [t('waits'), waitsUntil && <Moment at={waitsUntil} />],
          [t('resetOn'), reset && <Moment at={reset.dueAt} />],
          [t('resetBy'), reset && <span translate="no">{`${reset.actor}: ${reset.reason}`}</span>],
          [t('sessions'), t('sessionCount', { count: person.sessions })],
          [t('lastSeen'), lastSeenAt && <TimeAgo at={lastSeenAt} />],
          [t('apps'), t('appCount', { count: person.apps })],
        ]}
      />
    </Card>
  )
}

function State({ person: { disabledAt, deleteAfter } }: { person: PersonView }) {
  const t = useTranslations('admin.person')
  if (disabledAt) return t('disabled')
  return t(deleteAfter ? 'leaving' : 'active')
}
