import { useTranslations } from 'next-intl'
import { useAddressProblems } from '#app/_mail/address-problems.ts'
import { CodeForm } from '#app/_mail/code-form.tsx'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import type { Flash } from '#lib/http/flash'

/** The form for the code of a new address. */
export function AddressCodeForm({ reported, resent }: { reported: Flash['problems']; resent: boolean }) {
  const t = useTranslations('bindEmail')
  return (
    <CodeForm
      verify="/account/email/verify"
      resend="/account/email/resend"
      hiddenFields={{}}
      problems={useAddressProblems(reported)}
      resent={resent}
    >
      <ButtonLink href="/account/email" look="quiet" wide>
        {t('cancel')}
      </ButtonLink>
    </CodeForm>
  )
}
