import { useTranslations } from 'next-intl'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { Field } from '#app/_ui/field.tsx'
import { Form } from '#app/_ui/form.tsx'
import { longestReason } from '#lib/admin/admin-form'
import type { Flash } from '#lib/http/flash'

/** Closes an app for its team too, or opens it; asks for the reason, which the team reads. */
export function AppStateForm({ app, isClosed, flash }: { app: string; isClosed: boolean; flash: Flash }) {
  const t = useTranslations('admin')
  const act = isClosed ? 'reopen' : 'close'
  const missing = flash.problems.some(({ field }) => field === 'reason')
  return (
    <Card title={t(`app.${act}.title`)}>
      <p>{t(`app.${act}.what`)}</p>
      <Form action="/admin/app/state">
        <HiddenFields values={{ app, state: isClosed ? 'enabled' : 'disabled' }} />
        <Field
          name="reason"
          label={t('reason')}
          help={t('app.reasonHelp')}
          problem={missing ? t('problems.reason_missing') : undefined}
          defaultValue={flash.kept.reason ?? ''}
          maxLength={longestReason}
          autoComplete="off"
        />
        <div>
          <Button type="submit" id="app-state" look={isClosed ? 'secondary' : 'danger'} busyText={t('busy')}>
            {t(`app.${act}.button`)}
          </Button>
        </div>
      </Form>
    </Card>
  )
}
