import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import { oneOf, type Search } from '#app/_page/interaction-page.ts'
import { readFlashHere, readVisitor } from '#app/_page/visitor.ts'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { Form } from '#app/_ui/form.tsx'
import { InteractionHeading } from '#app/_ui/interaction-heading.tsx'
import { Notice } from '#app/_ui/notice.tsx'
import { cancelHashOf } from '#lib/admin/people/factor-reset'

/** Asks whether to keep the sign-in methods, for a visitor with the link of the letter. Opening the page changes nothing. */
export default async function KeepFactorsPage({ searchParams }: { searchParams: Search }) {
  const { context } = await readVisitor()
  const key = oneOf((await searchParams).key).slice(0, 100)
  const [flash, isPending, t] = await Promise.all([
    readFlashHere('keep-factors'),
    context.factorResets.isPending(cancelHashOf(key)),
    getTranslations('keepFactors'),
  ])
  const isKept = flash?.done === 'kept'
  const state = isPending ? 'ask' : isKept ? 'kept' : 'over'
  return (
    <>
      {isKept && <Notice kind="success" title={t('kept.notice')} live />}
      <InteractionHeading title={t(`${state}.title`)}>
        <p>{t(`${state}.what`)}</p>
      </InteractionHeading>
      {isPending ? (
        <Form action="/keep-factors/submit">
          <HiddenFields values={{ key }} />
          <Actions stacked>
            <Button type="submit" id="keep-factors" wide busyText={t('busy')}>
              {t('keep')}
            </Button>
          </Actions>
        </Form>
      ) : (
        <Actions>
          <ButtonLink href="/account/security" look="secondary">
            {t('security')}
          </ButtonLink>
        </Actions>
      )}
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('keepFactors'))('pageTitle') }
}
