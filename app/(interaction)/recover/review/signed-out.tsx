import { useTranslations } from 'next-intl'
import { DeviceName } from '#app/_ui/device-name.tsx'
import { Notice } from '#app/_ui/notice.tsx'
import { usePlaceName } from '#app/_ui/place-name.ts'
import { TimeAgo } from '#app/_ui/time-ago.tsx'
import type { SeenSession } from '#lib/account/sessions/store'
import styles from './review.module.css'

/** The sessions that the new password ended, if any. */
export function SignedOut({ sessions, kept }: { sessions: SeenSession[]; kept: boolean }) {
  const t = useTranslations('recover.review')
  if (kept)
    return (
      <Notice kind="attention" title={t('devicesKept')}>
        {t('devicesKeptWhat')}
      </Notice>
    )
  if (sessions.length === 0) return null
  return (
    <Notice kind="success" title={t('devicesEnded', { count: sessions.length })}>
      <ul className={styles.devices}>
        {sessions.map((session) => (
          <Device key={session.publicId} session={session} />
        ))}
      </ul>
    </Notice>
  )
}

function Device({ session: { device, address, lastSeenAt } }: { session: SeenSession }) {
  const t = useTranslations('recover.review')
  const place = usePlaceName(address)
  return (
    <li>
      <DeviceName userAgent={device} />
      {place && ` · ${place}`}
      {' · '}
      {t.rich('seen', { time: () => <TimeAgo at={lastSeenAt} /> })}
    </li>
  )
}
