import { useTranslations } from 'next-intl'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { CheckStrength } from '#app/_ui/check-strength.tsx'
import { Checkbox } from '#app/_ui/checkbox.tsx'
import { Field } from '#app/_ui/field.tsx'
import { Form } from '#app/_ui/form.tsx'
import { PasswordStrength } from '#app/_ui/password-strength.tsx'
import { ProblemSummary } from '#app/_ui/problem-summary.tsx'
import { useSecurityProblems } from '#app/(account)/account/security/security-problems.ts'
import type { Flash } from '#lib/http/flash'

/** The form for a new password and the sessions to end; contains the username for password managers. */
export function PasswordForm({ username, reported, said, secure }: PasswordFormProps) {
  const t = useTranslations('security.password')
  const problems = useSecurityProblems(reported)
  return (
    <Card>
      <Form action="/account/security/password/submit">
        <ProblemSummary problems={problems} />
        {secure && <HiddenFields values={{ secure }} />}
        <input type="text" name="username" autoComplete="username" defaultValue={username} readOnly hidden />
        <Field
          label={t('label')}
          name="password"
          type="password"
          autoComplete="new-password"
          autoFocus
          help={<PasswordStrength said={said}>{t('help')}</PasswordStrength>}
          problem={problems.find(({ field }) => field === 'password')?.text}
        />
        <Checkbox name="browsers" label={t('browsers')} help={t('browsersHelp')} checked />
        <Checkbox name="apps" label={t('apps')} help={t('appsHelp')} />
        <div>
          <Button type="submit" id="password-submit" busyText={t('busy')}>
            {t('submit')}
          </Button>
          <CheckStrength />
        </div>
      </Form>
    </Card>
  )
}

type PasswordFormProps = {
  username: string
  reported: Flash['problems']
  /** How strong the password of a visitor without a script is. */
  said: string | undefined
  /** The event of "This wasn’t me" whose steps the form leads back to. */
  secure: string | undefined
}
