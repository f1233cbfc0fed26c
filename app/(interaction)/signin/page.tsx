import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { readSignInPage, type Search } from '#app/_page/interaction-page.ts'
import { hasProblems } from '#app/_page/visitor.ts'
import { OwnScript } from '#app/_ui/own-script.tsx'
import { destinationFields } from '#lib/flow/destination'
import { ConfirmNote } from './confirm-note.tsx'
import { FreshHeading } from './fresh-heading.tsx'
import { OtherWays } from './other-ways.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { Assured, SignInHeading } from './sign-in-heading.tsx'
import { suggestUsername } from './suggest-username.ts'

/** Sign-in with username and password or a passkey, to an app or to a page of the account. */
export default async function SignInPage({ searchParams }: { searchParams: Search }) {
  const { as, fresh } = await searchParams
  const { context, destination, problems, kept } = await readSignInPage(searchParams, 'signin')
  const username = suggestUsername(kept, destination, as === 'other')
  const { serviceName: service, issuer, signup } = context.config
  const here = destination.current?.person
  const confirming = here !== undefined && [here.username, here.email].includes(username) ? here : undefined
  const known = confirming !== undefined && (await context.factors.ways(confirming.id)).passkeys.length > 0
  const hiddenFields = destinationFields(destination)
  return (
    <>
      {confirming && fresh === '1' ? (
        <FreshHeading username={confirming.username} />
      ) : (
        <SignInHeading destination={destination} issuer={issuer} service={service} />
      )}
      {confirming && fresh !== '1' && <ConfirmNote username={confirming.username} />}
      <SignInForm
        hiddenFields={hiddenFields}
        fresh={fresh === '1'}
        confirming={confirming !== undefined && fresh === '1'}
        known={known}
        username={username}
        problems={problems}
      />
      <OtherWays hiddenFields={hiddenFields} signUp={signup !== 'off' && !confirming} />
      <Assured destination={destination} />
      <OwnScript src="/passkey.js" />
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('signin')
  return { title: t((await hasProblems('signin')) ? 'problemTitle' : 'title') }
}
