import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { oneOf, readSignInPage, type Search } from '#app/_page/interaction-page.ts'
import { hasProblems } from '#app/_page/visitor.ts'
import { OwnScript } from '#app/_ui/own-script.tsx'
import { destinationFields } from '#lib/flow/destination'
import { rememberedAccounts } from '#lib/sign-in/remembered/remembered-accounts'
import { ConfirmNote } from './confirm-note.tsx'
import { FreshHeading } from './fresh-heading.tsx'
import { OtherWays } from './other-ways.tsx'
import { readPlaceholders } from './read-placeholders.ts'
import { RememberedFaces } from './remembered-faces.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { Assured, SignInHeading } from './sign-in-heading.tsx'
import { suggestUsername } from './suggest-username.ts'

/** Sign-in with username and password or a passkey, to an app or to a page of the account. */
export default async function SignInPage({ searchParams }: { searchParams: Search }) {
  const { as, fresh, who } = await searchParams
  const { context, destination, problems, kept, jar } = await readSignInPage(searchParams, 'signin')
  const accounts = (await readPlaceholders()) ?? (await rememberedAccounts(context, jar))
  const remembered = accounts.filter(({ id }) => id !== destination.current?.person.id)
  const username = suggestUsername(kept, destination, { other: as === 'other', who: oneOf(who), remembered })
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
      {!confirming && (
        <RememberedFaces
          accounts={remembered}
          chosen={remembered.find((one) => one.username === username)?.mark}
          hiddenFields={hiddenFields}
          issuer={issuer}
        />
      )}
      <SignInForm
        hiddenFields={hiddenFields}
        fresh={fresh === '1'}
        confirming={confirming !== undefined && fresh === '1'}
        known={known}
        username={username}
        shared={kept.shared === '1'}
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
