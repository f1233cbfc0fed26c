import { useTranslations } from 'next-intl'
import { useAddressProblems } from '#app/_mail/address-problems.ts'
import { CodeForm } from '#app/_mail/code-form.tsx'
import { Button } from '#app/_ui/button.tsx'
import type { Flash } from '#lib/http/flash'

/** The form for the code on an interaction page; cancelling leads back to the app. */
export function BindingCodeForm({ hiddenFields, reported, resent }: BindingCodeFormProps) {
  const t = useTranslations('bindEmail')
  return (
    <CodeForm
      verify="/bind-email/verify"
      resend="/bind-email/resend"
      hiddenFields={hiddenFields}
      problems={useAddressProblems(reported)}
      resent={resent}
    >
      <Button
        type="submit"
        id="code-cancel"
        formAction="/bind-email/verify"
        name="action"
        value="cancel"
        formNoValidate
        look="quiet"
        wide
      >
        {t('cancel')}
      </Button>
    </CodeForm>
  )
}

type BindingCodeFormProps = { hiddenFields: Record<string, string>; reported: Flash['problems']; resent: boolean }
