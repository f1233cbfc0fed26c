import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import { readSignInPage, type Search } from '#app/_page/interaction-page.ts'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Form } from '#app/_ui/form.tsx'
import { InteractionHeading } from '#app/_ui/interaction-heading.tsx'
import { DestinationMarks } from '#app/(interaction)/destination-marks.tsx'
import { accountsHere } from '#lib/account/signed-in/accounts-here'
import { destinationFields } from '#lib/flow/destination'
import { pathWith } from '#lib/http/redirect'
import { AccountChoices } from './account-choices.tsx'

/** Asks which account of this browser to use (OpenID Connect Core §3.1.2.1, `select_account`). */
export default async function ChoosePage({ searchParams }: { searchParams: Search }) {
  const { context, destination, jar } = await readSignInPage(searchParams, 'choose')
  const [accounts, t] = await Promise.all([accountsHere(context, jar), getTranslations('choose')])
  if (accounts.length === 0) redirect(pathWith('/signin', destinationFields(destination)))
  const app = destination.kind === 'app' ? destination.interaction.client.name : undefined
  return (
    <>
      <InteractionHeading
        above={<DestinationMarks destination={destination} issuer={context.config.issuer} />}
        title={t('heading')}
      >
        <p>{app === undefined ? t('forAccount') : t('forApp', { app })}</p>
      </InteractionHeading>
      <Form action="/choose/submit">
        <HiddenFields values={destinationFields(destination)} />
        <AccountChoices accounts={accounts} issuer={context.config.issuer} />
        <Actions stacked>
          <Button type="submit" name="account" value="other" look="secondary" wide>
            {t('other')}
          </Button>
          <Button type="submit" name="action" value="cancel" look="quiet" wide>
            {t('cancel')}
          </Button>
        </Actions>
      </Form>
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('choose'))('title') }
}
