import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { Assurance } from '#app/_ui/assurance.tsx'
import { JourneyHeading } from '#app/_ui/journey-heading.tsx'
import { Meeting } from '#app/_ui/meeting.tsx'
import { pictureUrl } from '#app/_ui/picture-url.ts'
import { readJourneyPage, type Search } from '#lib/web/journey-page'
import { hasProblems } from '#lib/web/visitor'
import { ConfirmNote } from './confirm-note.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { suggestUsername } from './suggest-username.ts'

/** Username and password, for the app that asked. */
export default async function SignInPage({ searchParams }: { searchParams: Search }) {
  const search = await searchParams
  const page = await readJourneyPage(searchParams, 'signin')
  const { context, client, current } = page
  const t = await getTranslations('signin')
  const username = suggestUsername(page, search.as === 'other')
  return (
    <>
      <JourneyHeading
        above={<Meeting app={client.name} logo={pictureUrl(context.config.issuer, client.logoFile)} />}
        title={t('heading', { app: client.name })}
      >
        <p>{t('madeBy', { app: client.name, team: client.teamName })}</p>
      </JourneyHeading>
      {current?.person.username === username && <ConfirmNote username={username} />}
      <SignInForm sealed={page.sealed} username={username} problems={page.problems} />
      <Assurance>{t('private', { app: client.name })}</Assurance>
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('signin')
  return { title: t((await hasProblems('signin')) ? 'problemTitle' : 'title') }
}
