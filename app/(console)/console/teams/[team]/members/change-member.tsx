import { useTranslations } from 'next-intl'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import rows from '#app/_ui/action-rows.module.css'
import { Button } from '#app/_ui/button.tsx'
import { Icon } from '#app/_ui/icon.tsx'
import { SelectField } from '#app/_ui/select-field.tsx'
import { SessionToken } from '#app/_ui/session-token.tsx'
import { type Role, roles } from '#lib/console/roles'

/** Plain forms that work without script. The owner opens them first, so a removal needs no further confirmation. */
export function ChangeMember({ team, member: { username, role }, isOwn, kept }: ChangeMemberProps) {
  const t = useTranslations('console')
  const hidden = { team, member: username }
  return (
    <details open={kept !== undefined}>
      <summary aria-describedby={`member-${username}`}>{t('members.change')}</summary>
      <div className={rows.forms}>
        <form method="post" action="/console/team/role" className={rows.form}>
          <SessionToken />
          <HiddenFields values={hidden} />
          <SelectField
            id={`role-${username}`}
            name="role"
            label={t('members.role')}
            defaultValue={roles.some((one) => one === kept) ? kept : role}
            items={roles.toReversed().map((value) => ({ value, label: t(`roles.${value}`) }))}
          />
          <Button type="submit" look="secondary" busyText={t('members.busy')} aria-describedby={`member-${username}`}>
            {t('members.saveRole')}
          </Button>
        </form>
        {!isOwn && (
          <form method="post" action="/console/team/role" className={`${rows.form} ${rows.removal}`}>
            <SessionToken />
            <HiddenFields values={{ ...hidden, role: 'none' }} />
            <p>{t('members.removeWhat')}</p>
            <Button
              type="submit"
              look="danger"
              icon={<Icon name="trash" />}
              busyText={t('members.removing')}
              aria-describedby={`member-${username}`}
            >
              {t('members.remove')}
            </Button>
          </form>
        )}
      </div>
    </details>
  )
}

type ChangeMemberProps = {
  team: string
  member: { username: string; role: Role }
  isOwn: boolean
  /** The role of a change that a new sign-in interrupted. */
  kept: string | undefined
}
