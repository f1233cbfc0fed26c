import { useTranslations } from 'next-intl'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { Field } from '#app/_ui/field.tsx'
import { Form } from '#app/_ui/form.tsx'
import { ProblemSummary } from '#app/_ui/problem-summary.tsx'
import { RadioList } from '#app/_ui/radio-list.tsx'
import { problemOf, useAppProblems } from '#app/(console)/console/app-problems.tsx'
import type { TeamApp } from '#lib/console/app/store'
import type { Receiver } from '#lib/console/events/store'
import type { Flash } from '#lib/http/flash'

/** Registers the receiver, or changes it. The stored header value is never shown. */
export function ReceiverForm({ app, receiver, flash }: ReceiverFormProps) {
  const t = useTranslations('consoleEvents')
  const problems = useAppProblems(flash.problems, ['receiver', 'header', 'authorization'])
  const kept = flash.done ? {} : flash.kept
  const isStored = receiver?.hasAuthorization === true
  const choices = isStored ? (['keep', 'set', 'none'] as const) : (['none', 'set'] as const)
  return (
    <Card title={t('title')}>
      <p>{t('lede')}</p>
      <Form action="/console/app/events/receiver">
        <ProblemSummary problems={problems} />
        <HiddenFields values={{ team: app.teamId, app: app.id }} />
        <Field
          label={t('address')}
          help={t('addressHelp')}
          name="receiver"
          type="url"
          autoComplete="off"
          defaultValue={kept.receiver ?? receiver?.address}
          problem={problemOf(problems, 'receiver')}
        />
        <RadioList
          legend={t('header')}
          help={t('headerHelp')}
          name="header"
          chosen={kept.header || choices[0]}
          items={choices.map((value) => ({ value, label: t(`headers.${value}`) }))}
          problem={problemOf(problems, 'header')}
        />
        <Field
          label={t('authorization')}
          help={t('authorizationHelp')}
          name="authorization"
          type="password"
          autoComplete="off"
          optional
          problem={problemOf(problems, 'authorization')}
        />
        <Actions>
          <Button type="submit" id="receiver-save" busyText={t('saving')}>
            {t(receiver ? 'save' : 'register')}
          </Button>
        </Actions>
      </Form>
    </Card>
  )
}

type ReceiverFormProps = { app: TeamApp; receiver: Receiver | undefined; flash: Flash }
