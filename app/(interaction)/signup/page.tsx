import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { readSignInPage, type Search } from '#app/_page/interaction-page.ts'
import { hasProblems } from '#app/_page/visitor.ts'
import { InteractionHeading } from '#app/_ui/interaction-heading.tsx'
import { OwnScript } from '#app/_ui/own-script.tsx'
import { DestinationMarks } from '#app/(interaction)/destination-marks.tsx'
import { destinationFields } from '#lib/flow/destination'
import { makeTicket } from '#lib/sign-in/sign-up/sign-up-ticket'
import { Closed } from './closed.tsx'
import { Papers } from './papers.tsx'
import { SignUpForm } from './sign-up-form.tsx'
import { ToSignIn } from './to-sign-in.tsx'

/** Creates an account with a password or a passkey, and continues to the destination. */
export default async function SignUpPage({ searchParams }: { searchParams: Search }) {
  const { context, destination, problems, kept } = await readSignInPage(searchParams, 'signup')
  const t = await getTranslations('signup')
  const { serviceName: service, signup, termsUrl, privacyUrl } = context.config
  const hiddenFields = destinationFields(destination)
  if (signup === 'off') return <Closed hiddenFields={hiddenFields} service={service} />
  const app = destination.kind === 'app' ? destination.interaction.client.name : undefined
  return (
    <>
      <InteractionHeading
        above={<DestinationMarks destination={destination} issuer={context.config.issuer} />}
        title={t('heading', { service })}
      >
        <p>{app === undefined ? t('lede') : t('forApp', { app })}</p>
      </InteractionHeading>
      <SignUpForm
        hiddenFields={{ ...hiddenFields, ticket: makeTicket(context) }}
        kept={kept}
        reported={problems}
        invited={signup === 'invite'}
        passkeyFirst={context.config.signupFirst === 'passkey'}
      />
      <Papers terms={termsUrl} privacy={privacyUrl} />
      <ToSignIn hiddenFields={hiddenFields} />
      <OwnScript src="/passkey.js" />
      <OwnScript src="/sign-up.js" />
      <OwnScript src="/password-strength.js" />
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('signup')
  return { title: t((await hasProblems('signup')) ? 'problemTitle' : 'title') }
}
