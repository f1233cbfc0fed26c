import { useTranslations } from 'next-intl'
import rows from '#app/_ui/action-rows.module.css'
import { Avatar } from '#app/_ui/avatar.tsx'
import { Tag } from '#app/_ui/tag.tsx'
import { TimeAgo } from '#app/_ui/time-ago.tsx'
import { teamPage } from '#lib/console/paths'
import type { TeamMember } from '#lib/console/team/store'
import { ChangeMember } from './change-member.tsx'

/** The members with their roles; an owner can change them. */
export function MemberList({ team, members, own, mayChange, isOnlyOwner, kept }: MemberListProps) {
  const t = useTranslations('console')
  return (
    <section className={rows.card} aria-label={t('members.title')}>
      <ul className={rows.plain}>
        {members.map(({ personId, username, name, role, createdAt }) => (
          <li key={personId} className={rows.row}>
            <Avatar name={name || username} />
            <div className={rows.words}>
              <h2 className={rows.title} id={`member-${username}`}>
                <bdi translate="no">{name || username}</bdi>
                {personId === own && <Tag good>{t('members.you')}</Tag>}
              </h2>
              <p className={rows.facts}>
                <span>{t(`roles.${role}`)}</span>
                {name && <span translate="no">{username}</span>}
                <span>{t.rich('members.since', { time: () => <TimeAgo at={createdAt} /> })}</span>
              </p>
            </div>
            <div className={`${rows.edit} ${rows.stack}`}>
              {mayChange && !(personId === own && isOnlyOwner) && (
                <ChangeMember
                  team={team}
                  member={{ username, role }}
                  isOwn={personId === own}
                  kept={kept.member === username ? kept.role : undefined}
                />
              )}
              {personId === own && isOnlyOwner && <p>{t('members.onlyOwner')}</p>}
              {personId === own && !isOnlyOwner && <a href={teamPage(team, 'settings')}>{t('members.leave')}</a>}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

type MemberListProps = {
  team: string
  members: TeamMember[]
  /** The id of the person who looks. */
  own: string
  mayChange: boolean
  isOnlyOwner: boolean
  /** The change that a new sign-in interrupted. */
  kept: Record<string, string>
}
