import { useTranslations } from 'next-intl'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { CodeField } from '#app/_ui/code-field.tsx'
import { Field } from '#app/_ui/field.tsx'
import { Fold } from '#app/_ui/fold.tsx'
import { Form } from '#app/_ui/form.tsx'
import { PasskeyBox } from '#app/_ui/passkey-box.tsx'
import { ProblemSummary } from '#app/_ui/problem-summary.tsx'
import { useDuration } from '#app/_ui/use-duration.ts'
import type { Flash } from '#lib/http/flash'

const action = '/undo-email/submit'

/** Offers every kind of factor, so that the page does not tell which ones the account has. */
export function UndoForms({ values, byCode, reported, service }: UndoFormsProps) {
  const t = useTranslations('undoEmail')
  const problems = useProblems(reported)
  const of = (field: string) => problems.find((problem) => problem.field === field)?.text
  return (
    <>
      <Form action={action}>
        <ProblemSummary problems={problems} />
        <HiddenFields values={values} />
        <Field
          label={t('password')}
          name="password"
          type="password"
          autoComplete="current-password webauthn"
          // The change and what its undo ends stand above, and a small phone would scroll past them.
          autoFocus={!byCode && reported.length > 0}
          help={t('passwordHelp')}
          problem={of('password')}
        />
        <Actions stacked>
          <Button type="submit" id="undo-submit" wide busyText={t('busy')}>
            {t('submit')}
          </Button>
          <PasskeyBox use="signin" action={action} or="before" label={t('passkey')} />
        </Actions>
      </Form>
      <Fold title={t('byCode')} open={byCode}>
        <Form action={action}>
          <HiddenFields values={{ ...values, by: 'code' }} />
          <CodeField label={t('code')} longest={40} autoFocus={byCode} help={t('codeHelp')} problem={of('code')} />
          <Actions stacked>
            <Button type="submit" id="undo-by-code" look="secondary" wide busyText={t('busy')}>
              {t('submitCode')}
            </Button>
          </Actions>
        </Form>
      </Fold>
      <p>{t('none', { service })}</p>
    </>
  )
}

/** Returns the texts of the problems. A waiting time concerns the whole page and belongs to no field. */
function useProblems(reported: Flash['problems']) {
  const t = useTranslations('undoEmail.problems')
  const duration = useDuration()
  return reported.flatMap(({ field, code, wait }) => {
    const known = codes.find((one) => one === code)
    return known ? [{ ...(field && { field }), text: t(known, { time: duration(wait) }) }] : []
  })
}

const codes = [
  'password_missing',
  'password_wrong',
  'code_missing',
  'code_wrong',
  'too_new',
  'passkey_expired',
  'passkey_unknown',
  'passkey_refused',
  'wait',
  'taken',
] as const

type UndoFormsProps = {
  values: Record<string, string>
  /** Whether the person tried a code. */
  byCode: boolean
  reported: Flash['problems']
  service: string
}
