import { useTranslations } from 'next-intl'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Field } from '#app/_ui/field.tsx'
import { Form } from '#app/_ui/form.tsx'
import { ProblemSummary } from '#app/_ui/problem-summary.tsx'
import type { Flash } from '#lib/journey/flash'

/** The form itself. Signing in comes before cancelling, so that Enter does it. */
export function SignInForm({ sealed, username, problems: told }: SignInFormProps) {
  const t = useTranslations('signin')
  const problems = useProblems(told)
  const of = (field: string) => problems.find((problem) => problem.field === field)?.text
  return (
    <Form action="/signin/submit">
      <ProblemSummary problems={problems} />
      <input type="hidden" name="request" value={sealed} />
      <Field
        label={t('username')}
        name="username"
        autoComplete="username webauthn"
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
        problem={of('password')}
      />
      <Actions stacked>
        <Button type="submit" id="signin-submit" wide busyText={t('busy')}>
          {t('submit')}
        </Button>
        <Button type="submit" id="signin-cancel" name="action" value="cancel" formNoValidate look="quiet" wide>
          {t('cancel')}
        </Button>
      </Actions>
    </Form>
  )
}

/** The form's problem codes in words. A wait concerns no field. */
function useProblems(told: Flash['problems']) {
  const t = useTranslations('signin.problems')
  return told.flatMap(({ field, code, wait }) => {
    const known = codes.find((one) => one === code)
    return known ? [{ ...(field && { field }), text: t(known, { seconds: wait ?? 0 }) }] : []
  })
}

const codes = ['username_missing', 'password_missing', 'wrong', 'wait'] as const

type SignInFormProps = { sealed: string; username: string; problems: Flash['problems'] }
