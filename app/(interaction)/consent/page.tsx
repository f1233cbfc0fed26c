import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { readInteractionPage, type Search, toDispatcher } from '#app/_page/interaction-page.ts'
import { hasProblems } from '#app/_page/visitor.ts'
import { inOneLine } from '#app/_ui/in-one-line.ts'
import { InteractionHeading } from '#app/_ui/interaction-heading.tsx'
import { LinkedMarks } from '#app/_ui/linked-marks.tsx'
import { pictureUrl } from '#app/_ui/picture-url.ts'
import { SignedInAs } from '#app/_ui/signed-in-as.tsx'
import { stepFor } from '#lib/flow/interaction'
import { pathWith } from '#lib/http/redirect'
import type { ConsentQuestion } from '#lib/oauth/consent/consent'
import { apisOf } from '#lib/oauth/resource'
import { AppPapers } from './app-papers.tsx'
import { ConsentForm } from './consent-form.tsx'
import { Introduction } from './introduction.tsx'
import { NameField } from './name-field.tsx'

/** The consent page: each item with its value, before anything is sent. */
export default async function ConsentPage({ searchParams }: { searchParams: Search }) {
  const page = await readInteractionPage(searchParams, 'consent')
  const { context, sealed, flow, client, current, languages } = page
  const next = await stepFor(context, page)
  if (next.step !== 'consent' || !current) return toDispatcher(sealed)
  const t = await getTranslations('consent')
  const { issuer } = context.config
  const { session, person } = current
  const { kept, problems } = page
  return (
    <>
      <InteractionHeading
        above={<LinkedMarks app={client.name} logo={pictureUrl(issuer, client.logoFile)} />}
        title={t('heading', { app: inOneLine(client.name) })}
      >
        <Introduction client={client} service={context.config.serviceName} question={next.question} />
      </InteractionHeading>
      <SignedInAs name={person.username} src={pictureUrl(issuer, person.avatarFile)}>
        <a href={pathWith('/signin', { request: sealed, as: 'other', ui_locales: languages })}>{t('other')}</a>
      </SignedInAs>
      <ConsentForm
        sealed={sealed}
        session={session.publicId}
        question={problems.length > 0 ? asDecided(next.question, kept) : next.question}
        client={client}
        apis={await apisOf(context.oauth, client, flow.request.resources)}
        person={person}
        alias={await context.aliases.findAddress(person.id, client.id)}
        issuer={issuer}
        offersRelay={context.config.offersRelay}
        nameField={context.config.profileFields.includes('name') && <NameField typed={kept.name} problems={problems} />}
      />
      <AppPapers client={client} redirectUri={flow.request.redirectUri} />
    </>
  )
}

/** Returns the question with the choices of a form that was sent with a problem. */
function asDecided(question: ConsentQuestion, { scope = '', email_choice }: Record<string, string>): ConsentQuestion {
  const ticked = scope.split(' ')
  return {
    ...question,
    scopes: question.scopes.map((asked) => ({ ...asked, chosen: ticked.includes(asked.name) })),
    emailChoice: (email_choice || question.emailChoice) as ConsentQuestion['emailChoice'],
  }
}

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('consent')
  return { title: t((await hasProblems('consent')) ? 'problemTitle' : 'title') }
}
