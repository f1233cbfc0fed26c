import { useTranslations } from 'next-intl'
import { Card } from '#app/_ui/card.tsx'
import { classes } from '#app/_ui/classes.ts'
import { DeviceName } from '#app/_ui/device-name.tsx'
import { Icon } from '#app/_ui/icon.tsx'
import { usePlaceName } from '#app/_ui/place-name.ts'
import { TimeAgo } from '#app/_ui/time-ago.tsx'
import type { Activity, ActivityKind } from '#lib/account/activity/activity'
import styles from './overview.module.css'

/** A sign-up and a recovery record a sign-in too. */
const kinds: ActivityKind[] = ['signed_in', 'sign_in_failed']
const most = 3

/** The last sign-ins among these events, failed ones too: device, place and time. */
export function RecentSignIns({ activities }: { activities: Activity[] }) {
  const t = useTranslations('overview.signIns')
  const latest = activities.filter(({ kind }) => kinds.includes(kind)).slice(0, most)
  return (
    <Card title={t('title')}>
      {latest.length === 0 ? (
        <p>{t('none')}</p>
      ) : (
        <ul className={styles.rows}>
          {latest.map((activity) => (
            <SignIn key={activity.at.toISOString()} activity={activity} />
          ))}
        </ul>
      )}
      <p>
        <a href="/account/activity">{t('all')}</a>
      </p>
    </Card>
  )
}

function SignIn({ activity: { at, kind, device, address } }: { activity: Activity }) {
  const t = useTranslations('activity')
  const place = usePlaceName(address)
  const failed = kind === 'sign_in_failed'
  return (
    <li className={classes(styles.row, failed && styles.open)}>
      <Icon name={failed ? 'attention' : 'arrow'} />
      <div>
        <p>
          <DeviceName userAgent={device} />
        </p>
        {failed && <p>{t('kinds.sign_in_failed')}</p>}
        <p className={styles.facts}>
          <TimeAgo at={at} />
          {place && <span>{place}</span>}
        </p>
      </div>
    </li>
  )
}
