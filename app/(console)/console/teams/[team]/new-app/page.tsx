import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { readTeamPage, type TeamParams, teamTitle } from '#app/_page/console-page.ts'
import { oneOf, type Search } from '#app/_page/interaction-page.ts'
import { hasProblems } from '#app/_page/visitor.ts'
import { OwnScript } from '#app/_ui/own-script.tsx'
import { PageHeading } from '#app/_ui/page-heading.tsx'
import { ConsoleResult } from '#app/(console)/console/console-result.tsx'
import { isFresh } from '#lib/account/signed-in/step-up'
import { appKinds } from '#lib/apps/app-fields'
import { ChooseKind } from './choose-kind.tsx'
import { NewApiForm } from './new-api-form.tsx'
import { NewAppForm } from './new-app-form.tsx'

/** Registers an app: first asks what it is, then for its name, addresses and scopes. */
export default async function NewAppPage({ params, searchParams }: { params: TeamParams; searchParams: Search }) {
  const { context, person, session, team, may, flashOf } = await readTeamPage(params, { action: 'app.register' })
  const [flash, apiFlash, search, t] = await Promise.all([
    flashOf('new-app'),
    flashOf('new-api'),
    searchParams,
    getTranslations('consoleApps.newApp'),
  ])
  const kind = appKinds.find((one) => one === (flash.kept.kind ?? oneOf(search.kind)))
  if (!kind && oneOf(search.kind) === 'api' && may('api.change'))
    return (
      <>
        <PageHeading title={t('title')} />
        <ConsoleResult flash={apiFlash} />
        <NewApiForm
          team={team.id}
          flash={apiFlash}
          isFresh={isFresh({ person, session }, context.now())}
          isReviewed={context.config.reviewsScopes}
        />
      </>
    )
  return (
    <>
      <PageHeading title={t('title')}>{t(kind ? 'ledeForm' : 'lede')}</PageHeading>
      <ConsoleResult flash={flash} />
      {kind ? (
        <NewAppForm
          team={team.id}
          kind={kind}
          flash={flash}
          isFresh={isFresh({ person, session }, context.now())}
          config={context.config}
        />
      ) : (
        <ChooseKind team={team.id} />
      )}
      {kind && <OwnScript src="/redirect-uris.js" />}
      {kind === 'assertion' && <OwnScript src="/make-key.js" />}
    </>
  )
}

export async function generateMetadata({ params }: { params: TeamParams }): Promise<Metadata> {
  const [wrong, t, words] = await Promise.all([
    Promise.all([hasProblems('new-app'), hasProblems('new-api')]).then((all) => all.includes(true)),
    getTranslations('consoleApps.newApp'),
    getTranslations('console'),
  ])
  const title = await teamTitle(params, t('title'))
  return { title: wrong ? words('problemTitle', { title }) : title }
}
