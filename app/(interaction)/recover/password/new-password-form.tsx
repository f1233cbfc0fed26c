import { useTranslations } from 'next-intl'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { CheckStrength } from '#app/_ui/check-strength.tsx'
import { Checkbox } from '#app/_ui/checkbox.tsx'
import { Field } from '#app/_ui/field.tsx'
import { Form } from '#app/_ui/form.tsx'
import { PasswordStrength } from '#app/_ui/password-strength.tsx'
import { ProblemSummary } from '#app/_ui/problem-summary.tsx'
import { useRecoveryProblems } from '#app/(interaction)/recover/recovery-problems.ts'
import type { Flash } from '#lib/http/flash'

/** The form for the new password; contains the username for password managers. */
export function NewPasswordForm({ hiddenFields, username, asksFactor, reported, said }: NewPasswordFormProps) {
  const t = useTranslations('recover.password')
  const steps = useTranslations('recover.steps')
  const problems = useRecoveryProblems(reported)
  return (
    <Form action="/recover/finish">
      <ProblemSummary problems={problems} />
      <HiddenFields values={hiddenFields} />
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <Field
        label={t('label')}
        name="password"
        type="password"
        autoComplete="new-password"
        autoFocus
        help={<PasswordStrength said={said}>{t('help')}</PasswordStrength>}
        problem={problems.find(({ field }) => field === 'password')?.text}
      />
      <Checkbox name="browsers" value="end" label={t('browsers')} help={t('browsersHelp')} checked />
      <Checkbox name="apps" value="end" label={t('apps')} help={t('appsHelp')} checked />
      <Actions stacked>
        <Button type="submit" id="password-submit" wide busyText={t('busy')}>
          {asksFactor ? steps('continue') : t('submit')}
        </Button>
        <CheckStrength />
      </Actions>
    </Form>
  )
}

type NewPasswordFormProps = {
  hiddenFields: Record<string, string>
  username: string
  /** Whether the code of the authenticator app saves the password. */
  asksFactor: boolean
  reported: Flash['problems']
  /** How strong the password of a visitor without a script is. */
  said: string | undefined
}
