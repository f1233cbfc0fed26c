import { useTranslations } from 'next-intl'
import { useAddressProblems } from '#app/_mail/address-problems.ts'
import { CodeForm } from '#app/_mail/code-form.tsx'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import type { Flash } from '#lib/http/flash'

/** The form for the code that resumes the mail of apps. */
export function ConfirmationForm({ reported, resent }: { reported: Flash['problems']; resent: boolean }) {
  const t = useTranslations('mailPaused')
  return (
    <CodeForm
      verify="/account/email/confirm/verify"
      resend="/account/email/confirm/send"
      hiddenFields={{ again: '1' }}
      problems={useAddressProblems(reported)}
      resent={resent}
    >
      <ButtonLink href="/account/email" look="quiet" wide>
        {t('cancel')}
      </ButtonLink>
    </CodeForm>
  )
}
