import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import rows from '#app/_ui/action-rows.module.css'
import { Button } from '#app/_ui/button.tsx'
import { Day } from '#app/_ui/day.tsx'
import { Icon } from '#app/_ui/icon.tsx'
import { SessionToken } from '#app/_ui/session-token.tsx'
import { Tag } from '#app/_ui/tag.tsx'
import type { ListedInvitation } from '#lib/admin/invitations/store'

/** Invitations with their state; an open one has a button that withdraws it. */
export function InvitationList({ invitations, now }: { invitations: ListedInvitation[]; now: Date }) {
  const t = useTranslations('admin')
  return (
    <section className={rows.card} aria-labelledby="invitations">
      <h2 id="invitations">{t('invitations.list')}</h2>
      <ul className={rows.rows}>
        {invitations.map((one) => (
          <li key={one.hash} className={rows.row}>
            <span className={rows.icon}>
              <Icon name={one.purpose === 'team' ? 'team' : 'person'} />
            </span>
            <div className={rows.words}>
              <h3 id={`invitation-${one.hash}`}>
                <bdi>{one.note || t('invitations.noNote')}</bdi> <State invitation={one} now={now} />
              </h3>
              <p className={rows.facts}>
                <span>{t(`invitations.purposes.${one.purpose}`)}</span>
                <span>
                  {t.rich('invitations.until', { time: (() => <Day at={one.expiresAt} />) as () => ReactNode })}
                </span>
                <code id={`id-${one.hash}`} translate="no">
                  {one.hash.slice(0, 8)}
                </code>
              </p>
            </div>
            {isOpen(one, now) && (
              <form method="post" action="/admin/invitations/withdraw">
                <SessionToken />
                <input type="hidden" name="invitation" value={one.hash} />
                <Button
                  type="submit"
                  look="secondary"
                  busyText={t('busy')}
                  aria-describedby={`invitation-${one.hash} id-${one.hash}`}
                >
                  {t('invitations.withdraw')}
                </Button>
              </form>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

const isOpen = ({ usedAt, expiresAt }: ListedInvitation, now: Date): boolean => usedAt === null && expiresAt > now

function State({ invitation, now }: { invitation: ListedInvitation; now: Date }) {
  const t = useTranslations('admin.invitations')
  if (isOpen(invitation, now)) return <Tag good>{t('open')}</Tag>
  return <Tag>{t(invitation.usedAt ? 'used' : 'expired')}</Tag>
}
