import { useTranslations } from 'next-intl'
import styles from '#app/_ui/action-rows.module.css'
import { Button } from '#app/_ui/button.tsx'
import { DeviceName } from '#app/_ui/device-name.tsx'
import { Icon } from '#app/_ui/icon.tsx'
import { usePlaceName } from '#app/_ui/place-name.ts'
import { SessionToken } from '#app/_ui/session-token.tsx'
import { Tag } from '#app/_ui/tag.tsx'
import { TimeAgo } from '#app/_ui/time-ago.tsx'
import { describeDevice } from '#lib/account/activity/describe-event'
import type { SeenSession } from '#lib/account/sessions/store'

/** The sessions of the person: browser, place, and when each was last used. */
export function Sessions({ sessions, own }: { sessions: SeenSession[]; own: string }) {
  const t = useTranslations('security.sessions')
  const first = [...sessions].sort((one, other) => Number(other.publicId === own) - Number(one.publicId === own))
  return (
    <section className={styles.card} aria-labelledby="sessions">
      <h2 id="sessions">{t('title')}</h2>
      <ul className={styles.rows}>
        {first.map((session) => (
          <SessionRow key={session.publicId} session={session} own={session.publicId === own} />
        ))}
      </ul>
    </section>
  )
}

function SessionRow({ session: { publicId, device, address, createdAt, lastSeenAt }, own }: SessionRowProps) {
  const t = useTranslations('security.sessions')
  const { system } = describeDevice(device)
  const place = usePlaceName(address)
  const handheld = system !== undefined && ['iPhone', 'iPad', 'Android'].includes(system)
  return (
    <li className={styles.row}>
      <span className={styles.icon}>
        <Icon name={handheld ? 'phone' : 'screen'} />
      </span>
      <div className={styles.words}>
        <h3 className={styles.title} id={`session-${publicId}`}>
          <DeviceName userAgent={device} />
          {own && <Tag good>{t('this')}</Tag>}
        </h3>
        <p className={styles.facts}>
          {place && <span>{place}</span>}
          {address && <span translate="no">{address}</span>}
          <span>{own ? t('inUse') : t.rich('seen', { time: () => <TimeAgo at={lastSeenAt} /> })}</span>
          <span>{t.rich('since', { time: () => <TimeAgo at={createdAt} /> })}</span>
        </p>
      </div>
      {!own && (
        <form method="post" action="/account/security/sessions/end">
          <SessionToken />
          <input type="hidden" name="browser" value={publicId} />
          <Button type="submit" look="secondary" busyText={t('busy')} aria-describedby={`session-${publicId}`}>
            {t('end')}
          </Button>
        </form>
      )}
    </li>
  )
}

type SessionRowProps = { session: SeenSession; own: boolean }
