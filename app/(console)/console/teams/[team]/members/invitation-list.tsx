import { useTranslations } from 'next-intl'
import rows from '#app/_ui/action-rows.module.css'
import { Button } from '#app/_ui/button.tsx'
import { Day } from '#app/_ui/day.tsx'
import { Icon } from '#app/_ui/icon.tsx'
import { SessionToken } from '#app/_ui/session-token.tsx'
import type { Invitation } from '#lib/console/team/store'

/** The open invitations, each with a button that withdraws it. */
export function InvitationList({ team, invitations }: { team: string; invitations: Invitation[] }) {
  const t = useTranslations('console')
  return (
    <section className={rows.card} aria-labelledby="invitations">
      <h2 id="invitations">{t('members.open')}</h2>
      <ul className={rows.rows}>
        {invitations.map(({ id, role, address, expiresAt }) => (
          <li key={id} className={rows.row}>
            <span className={rows.icon}>
              <Icon name={address ? 'mail' : 'key'} />
            </span>
            <div className={rows.words}>
              <h3 id={`invitation-${id}`}>{address ? <bdi translate="no">{address}</bdi> : t('members.byLink')}</h3>
              <p className={rows.facts}>
                <span>{t(`roles.${role}`)}</span>
                <span>{t.rich('members.until', { time: () => <Day at={expiresAt} /> })}</span>
              </p>
            </div>
            <form method="post" action="/console/team/withdraw-invitation">
              <SessionToken />
              <input type="hidden" name="team" value={team} />
              <input type="hidden" name="invitation" value={id} />
              <Button
                type="submit"
                look="secondary"
                busyText={t('members.withdrawing')}
                aria-describedby={`invitation-${id}`}
              >
                {t('members.withdraw')}
              </Button>
            </form>
          </li>
        ))}
      </ul>
    </section>
  )
}
