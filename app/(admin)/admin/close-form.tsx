import { useTranslations } from 'next-intl'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { Field } from '#app/_ui/field.tsx'
import { Form } from '#app/_ui/form.tsx'
import { longestReason } from '#lib/admin/admin-form'
import type { Flash } from '#lib/http/flash'

/** Closes an app for its team too, or a team with its apps, or opens it; asks for the reason, which the team reads. */
export function CloseForm({ what, id, isClosed, flash }: CloseFormProps) {
  const t = useTranslations('admin')
  const act = isClosed ? 'reopen' : 'close'
  const missing = flash.problems.some(({ field }) => field === 'reason')
  return (
    <Card title={t(`${what}.${act}.title`)}>
      <p>{t(`${what}.${act}.what`)}</p>
      <Form action={`/admin/${what}/state`}>
        <HiddenFields values={{ [what]: id, state: isClosed ? 'enabled' : 'disabled' }} />
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
          <Button type="submit" id={`${what}-state`} look={isClosed ? 'secondary' : 'danger'} busyText={t('busy')}>
            {t(`${what}.${act}.button`)}
          </Button>
        </div>
      </Form>
    </Card>
  )
}

type CloseFormProps = { what: 'app' | 'team'; id: string; isClosed: boolean; flash: Flash }
