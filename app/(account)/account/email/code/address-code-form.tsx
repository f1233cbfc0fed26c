import { useTranslations } from 'next-intl'
import { useAddressProblems } from '#app/_mail/address-problems.ts'
import { CodeForm } from '#app/_mail/code-form.tsx'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import type { Flash } from '#lib/http/flash'
import { AddressChange } from './address-change.tsx'

/** The form for the code of a new address. */
export function AddressCodeForm({ before, after, reported, resent, isLost }: AddressCodeFormProps) {
  const t = useTranslations('bindEmail')
  return (
    <CodeForm
      verify="/account/email/verify"
      resend="/account/email/resend"
      hiddenFields={{}}
      problems={useAddressProblems(reported)}
      resent={resent}
      above={before !== undefined && <AddressChange before={before} after={after} isLost={isLost} />}
    >
      <ButtonLink href="/account/email" look="quiet" wide>
        {t('cancel')}
      </ButtonLink>
    </CodeForm>
  )
}

type AddressCodeFormProps = {
  /** The bound address, which the new one replaces. */
  before: string | undefined
  after: string
  reported: Flash['problems']
  resent: boolean
  /** Whether the person ticked that they cannot read mail at the bound address any more. */
  isLost: boolean
}
