import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import { oneOf, type Search } from '#app/_page/interaction-page.ts'
import { inPageLanguage } from '#app/_page/page-context.ts'
import { readVisitor } from '#app/_page/visitor.ts'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { Form } from '#app/_ui/form.tsx'
import { InteractionHeading } from '#app/_ui/interaction-heading.tsx'
import { LinkedMarks } from '#app/_ui/linked-marks.tsx'
import { pictureUrl } from '#app/_ui/picture-url.ts'
import { SignedInAs } from '#app/_ui/signed-in-as.tsx'
import { accountsHere } from '#lib/account/signed-in/accounts-here'
import { readLogoutPage } from '#lib/sign-in/sign-out'
import { SignedOut } from './signed-out.tsx'

/**
 * Asks for confirmation, signs this browser out, and explains which access the sign-out does not end. "Stay signed in"
 * does not lead to the address of the request: only a logout does (RP-Initiated Logout 1.0 §3).
 */
export default async function LogoutPage({ searchParams }: { searchParams: Search }) {
  const { context, jar } = await readVisitor()
  const { serviceName: service, issuer } = context.config
  const { request, ui_locales } = await searchParams
  const fields = { request: oneOf(request), ui_locales: oneOf(ui_locales) }
  const page = await readLogoutPage(context, jar, fields.request)
  if (page instanceof Response) redirect(page.headers.get('location') as string)
  const { accounts } = page
  const app = page.app && (await inPageLanguage(page.app))
  const [first] = accounts
  if (!first) return <SignedOut service={service} />
  const t = await getTranslations('logout')
  return (
    <>
      <InteractionHeading
        above={app && <LinkedMarks app={app.name} logo={pictureUrl(issuer, app.logoFile)} />}
        title={t('heading')}
      >
        {app && <p>{t('asked', { app: app.name })}</p>}
        <p>{t('what', { service, count: accounts.length })}</p>
      </InteractionHeading>
      {accounts.map(({ person: { id, username, avatarFile } }) => (
        <SignedInAs key={id} name={username} src={pictureUrl(issuer, avatarFile)} />
      ))}
      <p>{t('stays')}</p>
      <Form action="/logout/submit">
        <HiddenFields values={{ session: first.session.publicId, ...fields }} />
        <Actions stacked>
          <Button type="submit" id="logout-confirm" wide busyText={t('busy')}>
            {t('submit')}
          </Button>
          <ButtonLink href={app?.homepage || '/account'} rel="noreferrer" look="quiet" wide>
            {t('stay')}
          </ButtonLink>
        </Actions>
      </Form>
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  const { context, jar } = await readVisitor()
  const [accounts, t] = await Promise.all([accountsHere(context, jar), getTranslations('logout')])
  return { title: t(accounts.length > 0 ? 'title' : 'done.title') }
}
