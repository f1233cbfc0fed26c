import { useTranslations } from 'next-intl'
import { CodeForm } from '#app/_mail/code-form.tsx'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { useRecoveryProblems } from '#app/(interaction)/recover/recovery-problems.ts'
import type { Flash } from '#lib/http/flash'

/** The form for the code of a recovery. */
export function RecoveryCodeForm({ hiddenFields, back, reported, resent }: RecoveryCodeFormProps) {
  const t = useTranslations('recover')
  return (
    <CodeForm
      verify="/recover/verify"
      resend="/recover/resend"
      hiddenFields={hiddenFields}
      problems={useRecoveryProblems(reported)}
      resent={resent}
    >
      <ButtonLink href={back} look="quiet" wide>
        {t('cancel')}
      </ButtonLink>
    </CodeForm>
  )
}

type RecoveryCodeFormProps = {
  hiddenFields: Record<string, string>
  back: string
  reported: Flash['problems']
  resent: boolean
}
