import { useTranslations } from 'next-intl'
import { Address } from '#app/_mail/address.tsx'
import { useAddressProblems } from '#app/_mail/address-problems.ts'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { Field } from '#app/_ui/field.tsx'
import { Form } from '#app/_ui/form.tsx'
import { ProblemSummary } from '#app/_ui/problem-summary.tsx'
import type { Flash } from '#lib/http/flash'

/** The form for the new address; it is bound once its code is entered. */
export function NewAddressForm({ current, address, reported }: NewAddressFormProps) {
  const t = useTranslations('email')
  const words = useTranslations('bindEmail')
  const problems = useAddressProblems(reported)
  return (
    <Form action="/account/email/submit">
      <ProblemSummary problems={problems} />
      {current !== undefined && (
        <p>
          {t('current')} <Address>{current}</Address>
        </p>
      )}
      <Field
        label={t('newAddress')}
        name="address"
        type="email"
        autoComplete="email"
        autoFocus
        defaultValue={address}
        help={words('addressHelp')}
        problem={problems.find(({ field }) => field === 'address')?.text}
      />
      <Actions>
        <Button type="submit" id="email-submit" busyText={words('busy')}>
          {words('submit')}
        </Button>
        <ButtonLink href="/account/email" look="quiet">
          {words('cancel')}
        </ButtonLink>
      </Actions>
    </Form>
  )
}

type NewAddressFormProps = {
  /** The bound address. */
  current: string | undefined
  /** What the person typed before. */
  address: string
  reported: Flash['problems']
}
