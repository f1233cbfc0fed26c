import { useTranslations } from 'next-intl'
import rows from '#app/_ui/action-rows.module.css'
import { Button } from '#app/_ui/button.tsx'
import { DeviceName } from '#app/_ui/device-name.tsx'
import { Icon, type IconName } from '#app/_ui/icon.tsx'
import { usePlaceName } from '#app/_ui/place-name.ts'
import { SessionToken } from '#app/_ui/session-token.tsx'
import { Tag } from '#app/_ui/tag.tsx'
import { TimeAgo } from '#app/_ui/time-ago.tsx'
import { describeDevice, kindOfDevice } from '#lib/account/activity/describe-event'
import { groupSessions, type SessionGroup } from '#lib/account/sessions/group-sessions'
import type { SeenSession } from '#lib/account/sessions/store'
import styles from './sessions.module.css'

/** The sessions of the person by device, this one first; a row opens to its facts. */
export function Sessions({ sessions, own }: { sessions: SeenSession[]; own: string }) {
  const t = useTranslations('security.sessions')
  return (
    <section className={rows.card} aria-labelledby="sessions">
      <h2 id="sessions">{t('title')}</h2>
      <p className={styles.note}>{t('places')}</p>
      <ul className={rows.rows}>
        {groupSessions(sessions, own).map((group) => (
          <Device key={group.sessions[0].publicId} group={group} />
        ))}
      </ul>
    </section>
  )
}

function Device({ group: { isOwn, sessions } }: { group: SessionGroup }) {
  const t = useTranslations('security.sessions')
  const [{ publicId, device, address, lastSeenAt }] = sessions
  const place = usePlaceName(address)
  return (
    <li className={styles.device}>
      <details>
        <summary>
          <DeviceIcon userAgent={device} />
          <span className={styles.words}>
            <span className={styles.name} id={`session-${publicId}`}>
              <DeviceName userAgent={device} /> {isOwn && <Tag good>{t('this')}</Tag>}
            </span>
            <span className={styles.facts}>
              {place && <span>{place}</span>}
              <span>{isOwn ? t('inUse') : t.rich('seen', { time: () => <TimeAgo at={lastSeenAt} /> })}</span>
              {sessions.length > 1 && <span>{t('count', { count: sessions.length })}</span>}
            </span>
          </span>
          <span className={styles.chevron}>
            <Icon name="chevron" />
          </span>
        </summary>
        <div className={styles.more}>
          {sessions.map((session) => (
            <SessionFacts key={session.publicId} session={session} isOwn={isOwn} />
          ))}
          {!isOwn && <EndSessions ids={sessions.map((session) => session.publicId)} label={`session-${publicId}`} />}
        </div>
      </details>
    </li>
  )
}

/** The device, with the browser as a smaller drawing on it. */
function DeviceIcon({ userAgent }: { userAgent: string }) {
  const { browser } = describeDevice(userAgent)
  return (
    <span className={rows.icon}>
      <Icon name={devices[kindOfDevice(userAgent)]} />
      <span className={styles.browser}>
        <Icon name={browsers[browser ?? ''] ?? 'window'} size={14} />
      </span>
    </span>
  )
}

function SessionFacts({ session: { address, createdAt, lastSeenAt }, isOwn }: SessionFactsProps) {
  const t = useTranslations('security.sessions')
  return (
    <dl className={styles.list}>
      <dt>{t('signedIn')}</dt>
      <dd>
        <TimeAgo at={createdAt} />
      </dd>
      {!isOwn && (
        <>
          <dt>{t('lastUsed')}</dt>
          <dd>
            <TimeAgo at={lastSeenAt} />
          </dd>
        </>
      )}
      {address && (
        <>
          <dt>{t('address')}</dt>
          <dd translate="no">{address}</dd>
        </>
      )}
    </dl>
  )
}

function EndSessions({ ids, label }: { ids: string[]; label: string }) {
  const t = useTranslations('security.sessions')
  return (
    <form method="post" action="/account/security/sessions/end">
      <SessionToken />
      {ids.map((id) => (
        <input key={id} type="hidden" name="browser" value={id} />
      ))}
      <Button type="submit" look="secondary" busyText={t('busy')} aria-describedby={label}>
        {ids.length > 1 ? t('endAll', { count: ids.length }) : t('end')}
      </Button>
    </form>
  )
}

const devices = { phone: 'phone', tablet: 'tablet', computer: 'screen' } as const
const browsers: Partial<Record<string, IconName>> = {
  Safari: 'compass',
  Chrome: 'rings',
  Firefox: 'flame',
  Edge: 'wave',
}

type SessionFactsProps = { session: SeenSession; isOwn: boolean }
