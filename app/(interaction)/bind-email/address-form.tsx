import { useTranslations } from 'next-intl'
import { useAddressProblems } from '#app/_mail/address-problems.ts'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Field } from '#app/_ui/field.tsx'
import { Form } from '#app/_ui/form.tsx'
import { ProblemSummary } from '#app/_ui/problem-summary.tsx'
import type { Flash } from '#lib/http/flash'

/** The form for an address, with buttons to skip it where it is optional and to cancel. */
export function AddressForm({ hiddenFields, address, reported, optional }: AddressFormProps) {
  const t = useTranslations('bindEmail')
  const problems = useAddressProblems(reported)
  return (
    <Form action="/bind-email/submit">
      <ProblemSummary problems={problems} />
      <HiddenFields values={hiddenFields} />
      <Field
        label={t('address')}
        name="address"
        type="email"
        autoComplete="email"
        autoFocus
        defaultValue={address}
        help={t('addressHelp')}
        problem={problems.find(({ field }) => field === 'address')?.text}
      />
      <Actions stacked>
        <Button type="submit" id="bind-submit" wide busyText={t('busy')}>
          {t('submit')}
        </Button>
        {optional && (
          <Button
            type="submit"
            id="bind-skip"
            name="action"
            value="skip"
            formNoValidate
            look="secondary"
            wide
            busyText={t('skipping')}
          >
            {t('skip')}
          </Button>
        )}
        <Button type="submit" id="bind-cancel" name="action" value="cancel" formNoValidate look="quiet" wide>
          {t('cancel')}
        </Button>
      </Actions>
    </Form>
  )
}

type AddressFormProps = {
  hiddenFields: Record<string, string>
  address: string
  reported: Flash['problems']
  optional: boolean
}
