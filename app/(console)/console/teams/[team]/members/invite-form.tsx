import { useTranslations } from 'next-intl'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { Field } from '#app/_ui/field.tsx'
import { Form } from '#app/_ui/form.tsx'
import { ProblemSummary } from '#app/_ui/problem-summary.tsx'
import { RadioList } from '#app/_ui/radio-list.tsx'
import { useConsoleProblems } from '#app/(console)/console/console-problems.ts'
import { roles } from '#lib/console/roles'
import { invitationDays } from '#lib/console/team/invitations'
import type { Flash } from '#lib/http/flash'

/** Invites a person by letter, or makes a link that the owner passes on. */
export function InviteForm({ team, flash, isFresh }: { team: string; flash: Flash; isFresh: boolean }) {
  const t = useTranslations('console')
  const problems = useConsoleProblems(flash.problems.filter(({ field }) => field !== undefined))
  const of = (field: string) => problems.find((problem) => problem.field === field)?.text
  const kept = flash.done ? undefined : flash.kept
  return (
    <Card title={t('members.invite')}>
      <p>{t('members.inviteWhat', { days: invitationDays })}</p>
      <Form action="/console/team/invite">
        <ProblemSummary problems={problems} />
        <input type="hidden" name="team" value={team} />
        <RadioList
          name="role"
          legend={t('members.role')}
          chosen={kept?.role || 'developer'}
          problem={of('role')}
          items={roles.toReversed().map((role) => ({
            value: role,
            label: t(`roles.${role}`),
            help: t(`roleWhat.${role}`),
          }))}
        />
        <Field
          label={t('members.address')}
          help={t('members.addressHelp')}
          name="address"
          type="email"
          autoComplete="off"
          optional
          defaultValue={kept?.address}
          problem={of('address')}
        />
        {!isFresh && <p>{t('fresh')}</p>}
        <Actions>
          <Button type="submit" id="invite-submit" busyText={t('members.inviting')}>
            {t('members.inviteSubmit')}
          </Button>
        </Actions>
      </Form>
    </Card>
  )
}
