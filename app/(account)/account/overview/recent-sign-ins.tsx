import { useTranslations } from 'next-intl'
import { Card } from '#app/_ui/card.tsx'
import events from '#app/_ui/event-list.module.css'
import { ActivityLine } from '#app/(account)/account/activity/activity-line.tsx'
import type { Activity } from '#lib/account/activity/activity'

/** The last sign-ins, failed ones too. */
export function RecentSignIns({ signIns }: { signIns: Activity[] }) {
  const t = useTranslations('overview.signIns')
  return (
    <Card title={t('title')}>
      {signIns.length === 0 ? (
        <p>{t('none')}</p>
      ) : (
        <div className={events.day}>
          <ul>
            {signIns.map((activity) => (
              <ActivityLine key={activity.at.getTime()} activity={activity} />
            ))}
          </ul>
        </div>
      )}
      <p>
        <a href="/account/activity?about=sign_ins">{t('more')}</a>
      </p>
    </Card>
  )
}
