import { useTranslations } from 'next-intl'
import { Button } from '#app/_ui/button.tsx'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { Card } from '#app/_ui/card.tsx'
import { Dialog } from '#app/_ui/dialog.tsx'
import { Form } from '#app/_ui/form.tsx'
import { teamPage } from '#lib/console/paths'
import type { OwnTeam } from '#lib/console/team/store'

/** Ends the person's own membership after a confirmation; explains to the only owner why that is not possible. */
export function LeaveTeam({ team, isOnlyOwner }: { team: OwnTeam; isOnlyOwner: boolean }) {
  const t = useTranslations('console.settings')
  if (isOnlyOwner)
    return (
      <Card
        title={t('leave')}
        actions={
          <ButtonLink href={teamPage(team.id, 'members')} look="secondary">
            {t('toMembers')}
          </ButtonLink>
        }
      >
        <p>{t('onlyOwner')}</p>
      </Card>
    )
  const confirm = (
    <Form action="/console/team/leave">
      <input type="hidden" name="team" value={team.id} />
      <Button type="submit" id="team-leave" look="danger" busyText={t('leaving')}>
        {t('leave')}
      </Button>
    </Form>
  )
  return (
    <Card title={t('leave')}>
      <p>{t('leaveWhat')}</p>
      <div>
        <Dialog
          id="team-leave-dialog"
          opener={t('leaveOpen')}
          title={t('leaveSure', { team: team.name })}
          confirm={confirm}
        >
          <p>{t('leaveWhat')}</p>
        </Dialog>
      </div>
    </Card>
  )
}
