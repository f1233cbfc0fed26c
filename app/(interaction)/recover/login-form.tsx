import { useTranslations } from 'next-intl'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { Field } from '#app/_ui/field.tsx'
import { Form } from '#app/_ui/form.tsx'
import { ProblemSummary } from '#app/_ui/problem-summary.tsx'
import type { Flash } from '#lib/http/flash'
import { pathWith } from '#lib/http/redirect'
import { useRecoveryProblems } from './recovery-problems.ts'

/** Asks for a username or address; the answer does not reveal whether an account exists. */
export function LoginForm({ hiddenFields, login, reported }: LoginFormProps) {
  const t = useTranslations('recover')
  const problems = useRecoveryProblems(reported)
  return (
    <Form action="/recover/submit">
      <ProblemSummary problems={problems} />
      <HiddenFields values={hiddenFields} />
      <Field
        label={t('login')}
        name="login"
        autoFocus
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        defaultValue={login}
        problem={problems.find(({ field }) => field === 'login')?.text}
      />
      <Actions stacked>
        <Button type="submit" id="recover-submit" wide busyText={t('busy')}>
          {t('submit')}
        </Button>
        <ButtonLink href={pathWith('/signin', hiddenFields)} look="quiet" wide>
          {t('cancel')}
        </ButtonLink>
      </Actions>
    </Form>
  )
}

type LoginFormProps = { hiddenFields: Record<string, string>; login: string; reported: Flash['problems'] }
