import { useTranslations } from 'next-intl'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { CodeField } from '#app/_ui/code-field.tsx'
import { Form } from '#app/_ui/form.tsx'
import { ProblemSummary } from '#app/_ui/problem-summary.tsx'
import type { Flash } from '#lib/http/flash'
import { pathWith } from '#lib/http/redirect'

/** One field for codes of the authenticator app and recovery codes, whose formats differ. */
export function TwoFactorForm({ hiddenFields, reported, isRecovery }: TwoFactorFormProps) {
  const t = useTranslations('twoFactor')
  const save = useTranslations('recover.password')
  const problems = reported.flatMap(({ code }) => {
    const known = codes.find((one) => one === code)
    return known ? [{ field: 'code', text: t(`problems.${known}`) }] : []
  })
  return (
    <Form action="/two-factor/submit">
      <ProblemSummary problems={problems} />
      <HiddenFields values={hiddenFields} />
      <CodeField label={t('code')} longest={40} autoFocus help={t('lost')} problem={problems[0]?.text} />
      <Actions stacked>
        <Button type="submit" id="two-factor-submit" wide busyText={t('busy')}>
          {isRecovery ? save('submit') : t('submit')}
        </Button>
        <ButtonLink href={pathWith('/signin', hiddenFields)} look="quiet" wide>
          {t('other')}
        </ButtonLink>
      </Actions>
    </Form>
  )
}

const codes = ['code_missing', 'code_wrong'] as const

type TwoFactorFormProps = {
  hiddenFields: Record<string, string>
  reported: Flash['problems']
  /** Whether the code saves a new password. */
  isRecovery: boolean
}
