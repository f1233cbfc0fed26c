import { useTranslations } from 'next-intl'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import { Assurance } from '#app/_ui/assurance.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Form } from '#app/_ui/form.tsx'
import { PasskeyBox } from '#app/_ui/passkey-box.tsx'
import { ProblemSummary } from '#app/_ui/problem-summary.tsx'
import { useSecurityProblems } from '#app/(account)/account/security/security-problems.ts'
import type { Flash } from '#lib/http/flash'

/** Creates a passkey, or skips the offer; both lead on to the page `to`. */
export function OfferForms({ to, reported }: { to: string; reported: Flash['problems'] }) {
  const t = useTranslations('passkeyOffer')
  const problems = useSecurityProblems(reported)
  return (
    <>
      <Form action="/passkey/offer/add">
        <ProblemSummary problems={problems} />
        <HiddenFields values={{ to }} />
        <PasskeyBox use="add" look="primary" wide label={t('make')} />
      </Form>
      <Form action="/passkey/offer/later">
        <HiddenFields values={{ to }} />
        <Button type="submit" id="offer-later" look="quiet" wide>
          {t('later')}
        </Button>
      </Form>
      <Assurance>{t('laterNote')}</Assurance>
    </>
  )
}
