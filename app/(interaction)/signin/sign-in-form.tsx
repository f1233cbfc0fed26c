import { useTranslations } from 'next-intl'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Checkbox } from '#app/_ui/checkbox.tsx'
import { Field } from '#app/_ui/field.tsx'
import { Form } from '#app/_ui/form.tsx'
import { PasskeyBox } from '#app/_ui/passkey-box.tsx'
import { ProblemSummary } from '#app/_ui/problem-summary.tsx'
import { useDuration } from '#app/_ui/use-duration.ts'
import type { Flash } from '#lib/http/flash'
import { pathWith } from '#lib/http/redirect'

/** The sign-in form. Enter submits its first button. */
export function SignInForm({ problems: reported, ...props }: SignInFormProps) {
  const { hiddenFields, fresh, confirming, known, username, shared } = props
  const t = useTranslations('signin')
  const problems = useProblems(reported)
  const of = (field: string) => problems.find((problem) => problem.field === field)?.text
  return (
    <Form action="/signin/submit">
      <ProblemSummary problems={problems} />
      <HiddenFields values={fresh ? { ...hiddenFields, fresh: '1' } : hiddenFields} />
      {known && (
        <PasskeyBox use="signin" action="/passkey/signin" mine look="primary" or="after" label={t('passkeyConfirm')} />
      )}
      <Field
        label={t('username')}
        name="username"
        autoComplete="username webauthn"
        autoFocus={username === ''}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        defaultValue={username}
        problem={of('username')}
      />
      <Field
        label={t('password')}
        name="password"
        type="password"
        autoComplete="current-password"
        autoFocus={username !== '' && !known}
        trailing={<a href={pathWith('/recover', hiddenFields)}>{t('forgot')}</a>}
        problem={of('password')}
      />
      {!confirming && <Checkbox name="shared" label={t('shared')} help={t('sharedHelp')} checked={shared} />}
      <Actions stacked>
        <Button type="submit" id="signin-submit" wide look={known ? 'secondary' : 'primary'} busyText={t('busy')}>
          {t(confirming ? 'confirm' : 'submit')}
        </Button>
        {!known && !confirming && <PasskeyBox use="signin" action="/passkey/signin" or="before" label={t('passkey')} />}
        <Button type="submit" id="signin-cancel" name="action" value="cancel" formNoValidate look="quiet" wide>
          {t('cancel')}
        </Button>
      </Actions>
    </Form>
  )
}

/** Returns the texts of the form's problems. A waiting time concerns the whole form and belongs to no field. */
function useProblems(reported: Flash['problems']) {
  const t = useTranslations('signin.problems')
  const duration = useDuration()
  return reported.flatMap(({ field, code, wait }) => {
    const known = codes.find((one) => one === code)
    return known ? [{ ...(field && { field }), text: t(known, { time: duration(wait) }) }] : []
  })
}

const codes = [
  'username_missing',
  'password_missing',
  'wrong',
  'wait',
  'passkey_expired',
  'passkey_unknown',
  'passkey_refused',
  'two_factor_expired',
] as const

type SignInFormProps = {
  hiddenFields: Record<string, string>
  fresh: boolean
  /** Whether the signed-in person reauthenticates. */
  confirming: boolean
  /** Whether the passkey comes first, since the reauthenticating person has one. */
  known: boolean
  username: string
  /** Whether the person said that the device is shared, before a problem. */
  shared: boolean
  problems: Flash['problems']
}
