import { useTranslations } from 'next-intl'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { CheckStrength } from '#app/_ui/check-strength.tsx'
import { Field } from '#app/_ui/field.tsx'
import { Form } from '#app/_ui/form.tsx'
import { PasskeyBox } from '#app/_ui/passkey-box.tsx'
import { PasswordStrength } from '#app/_ui/password-strength.tsx'
import { ProblemSummary } from '#app/_ui/problem-summary.tsx'
import type { Flash } from '#lib/http/flash'
import { NameStatus } from './name-status.tsx'
import { useSignUpProblems } from './sign-up-problems.ts'

/**
 * The sign-up form. Enter activates its first submit button, which needs no script, instead of the one that cancels.
 */
export function SignUpForm({ hiddenFields, kept, reported, invited, passkeyFirst }: SignUpFormProps) {
  const t = useTranslations('signup')
  const problems = useSignUpProblems(reported)
  const of = (field: string) => problems.find((problem) => problem.field === field)?.text
  return (
    <Form action="/signup/submit">
      <ProblemSummary problems={problems} />
      <HiddenFields values={hiddenFields} />
      {invited && <InvitationField code={kept.invitation ?? ''} problem={of('invitation')} />}
      <Field
        label={t('username')}
        name="username"
        autoFocus={!invited}
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        defaultValue={kept.username ?? ''}
        help={<NameStatus>{t('usernameHelp')}</NameStatus>}
        problem={of('username')}
      />
      {passkeyFirst && (
        <PasskeyBox use="signup" look="primary" or="after" label={t('passkey')}>
          {t('passkeyWhy')}
        </PasskeyBox>
      )}
      <Field
        label={t('password')}
        name="password"
        type="password"
        autoComplete="new-password"
        help={<PasswordStrength said={kept.strength}>{t('passwordHelp')}</PasswordStrength>}
        problem={of('password')}
      />
      <Actions stacked>
        <Button
          type="submit"
          id="signup-submit"
          look={passkeyFirst ? 'secondary' : 'primary'}
          wide
          busyText={t('busy')}
        >
          {t('submit')}
        </Button>
        <CheckStrength />
        {!passkeyFirst && (
          <PasskeyBox use="signup" or="before" label={t('passkey')}>
            {t('passkeyWhy')}
          </PasskeyBox>
        )}
        <Button type="submit" name="action" value="cancel" formNoValidate look="quiet" wide>
          {t('cancel')}
        </Button>
      </Actions>
    </Form>
  )
}

function InvitationField({ code, problem }: { code: string; problem: string | undefined }) {
  const t = useTranslations('signup')
  return (
    <Field
      label={t('invitation')}
      name="invitation"
      autoComplete="off"
      autoFocus
      spellCheck={false}
      code
      defaultValue={code}
      help={t('invitationHelp')}
      problem={problem}
    />
  )
}

type SignUpFormProps = {
  hiddenFields: Record<string, string>
  kept: Record<string, string>
  reported: Flash['problems']
  invited: boolean
  /** Whether the passkey comes before the password (SIGNUP_FIRST). */
  passkeyFirst: boolean
}
