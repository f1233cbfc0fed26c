import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import { readVisitor } from '#app/_page/visitor.ts'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { Form } from '#app/_ui/form.tsx'
import { InteractionHeading } from '#app/_ui/interaction-heading.tsx'
import { pictureUrl } from '#app/_ui/picture-url.ts'
import { SignedInAs } from '#app/_ui/signed-in-as.tsx'
import { accountsHere } from '#lib/account/signed-in/accounts-here'
import { SignedOut } from './signed-out.tsx'

/** Asks for confirmation, signs this browser out, and explains which access the sign-out does not end. */
export default async function SignOutPage() {
  const { context, jar } = await readVisitor()
  const { serviceName: service, issuer } = context.config
  const [accounts, t] = await Promise.all([accountsHere(context, jar), getTranslations('signout')])
  const [first] = accounts
  if (!first) return <SignedOut service={service} />
  return (
    <>
      <InteractionHeading title={t('heading')}>
        <p>{t('what', { service, count: accounts.length })}</p>
      </InteractionHeading>
      {accounts.map(({ person: { id, username, avatarFile } }) => (
        <SignedInAs key={id} name={username} src={pictureUrl(issuer, avatarFile)} />
      ))}
      <p>{t('stays')}</p>
      <Form action="/signout/submit">
        <HiddenFields values={{ session: first.session.publicId }} />
        <Actions stacked>
          <Button type="submit" id="signout-confirm" wide busyText={t('busy')}>
            {t('submit')}
          </Button>
          <ButtonLink href="/" look="quiet" wide>
            {t('stay')}
          </ButtonLink>
        </Actions>
      </Form>
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  const { context, jar } = await readVisitor()
  const [accounts, t] = await Promise.all([accountsHere(context, jar), getTranslations('signout')])
  return { title: t(accounts.length > 0 ? 'title' : 'done.title') }
}
