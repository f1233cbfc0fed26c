import { useTranslations } from 'next-intl'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { Field } from '#app/_ui/field.tsx'
import { Form } from '#app/_ui/form.tsx'
import { RadioList } from '#app/_ui/radio-list.tsx'
import { longestNote, mostDays, presetDays } from '#lib/admin/invitations/invitations'
import { type Purpose, purposes } from '#lib/admin/invitations/store'
import type { Flash } from '#lib/http/flash'

/** Makes an invitation; says where the settings do not ask for one. */
export function InvitationForm({ flash, rules }: { flash: Flash; rules: Record<Purpose, string> }) {
  const t = useTranslations('admin')
  const isWrong = (field: string) => flash.problems.some((problem) => problem.field === field)
  const { kept } = flash
  // The preset purpose is one that the settings ask for.
  const preset = purposes.find((purpose) => rules[purpose] === 'invite') ?? 'account'
  return (
    <Card title={t('invitations.make')}>
      <Form action="/admin/invitations/make">
        <RadioList
          name="purpose"
          legend={t('invitations.purpose')}
          chosen={kept.purpose || preset}
          problem={isWrong('purpose') ? t('problems.purpose_missing') : undefined}
          items={purposes.map((value) => ({
            value,
            label: t(`invitations.purposes.${value}`),
            help:
              rules[value] === 'invite'
                ? undefined
                : t('invitations.unused', { setting: settingOf[value], value: rules[value] }),
          }))}
        />
        <Field
          name="note"
          label={t('invitations.note')}
          help={t('invitations.noteHelp')}
          optional
          defaultValue={kept.note ?? ''}
          maxLength={longestNote}
          autoComplete="off"
        />
        <Field
          name="days"
          label={t('invitations.days')}
          problem={isWrong('days') ? t('problems.days_wrong', { most: mostDays }) : undefined}
          defaultValue={kept.days || String(presetDays)}
          inputMode="numeric"
          maxLength={4}
          autoComplete="off"
        />
        <div>
          <Button type="submit" id="invitation-make" busyText={t('busy')}>
            {t('invitations.submit')}
          </Button>
        </div>
      </Form>
    </Card>
  )
}

const settingOf: Record<Purpose, string> = { account: 'SIGNUP', team: 'TEAMS' }
