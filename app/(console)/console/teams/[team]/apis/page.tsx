import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { readTeamPage, type TeamParams, teamTitle } from '#app/_page/console-page.ts'
import { oneOf, type Search } from '#app/_page/interaction-page.ts'
import { hasProblems } from '#app/_page/visitor.ts'
import { BackLink } from '#app/_ui/back-link.tsx'
import { PageHeading } from '#app/_ui/page-heading.tsx'
import { ConsoleResult } from '#app/(console)/console/console-result.tsx'
import { ScopeReview } from '#app/(console)/console/scope-review.tsx'
import { isFresh } from '#lib/account/signed-in/step-up'
import { findRefusal } from '#lib/console/app/scope-refusal'
import { apisPage, teamPage } from '#lib/console/paths'
import { ApiForm } from './api-form.tsx'
import { ApiList } from './api-list.tsx'
import { DeleteApi } from './delete-api.tsx'

/** The APIs of a team; or one of them, which the query names. */
export default async function TeamApisPage({ params, searchParams }: { params: TeamParams; searchParams: Search }) {
  const { context, person, session, team, may, flashOf } = await readTeamPage(params, { action: 'api.read' })
  const identifier = oneOf((await searchParams).api)
  const [flash, made, t, words] = await Promise.all([
    flashOf('api'),
    flashOf('new-api'),
    getTranslations('consoleApis'),
    getTranslations('console.sections'),
  ])
  const result = <ConsoleResult flash={made.done ? made : flash} />
  if (identifier === '')
    return (
      <>
        <BackLink href={teamPage(team.id)}>{words('overview')}</BackLink>
        <PageHeading title={t('title')}>{t('lede')}</PageHeading>
        {result}
        <ApiList team={team.id} apis={await context.teamApis.list(team.id)} mayChange={may('api.change')} />
      </>
    )
  const api = await context.teamApis.find(team.id, identifier)
  if (!api) notFound()
  const refusal = await findRefusal(context, team.id, { ...api, target: identifier })
  return (
    <>
      <BackLink href={apisPage(team.id)}>{t('back')}</BackLink>
      <PageHeading title={<bdi translate="no">{api.name}</bdi>}>
        <code translate="no">{api.identifier}</code>
      </PageHeading>
      {result}
      <ScopeReview waiting={api.waitingScopes} refusal={refusal} ofApi />
      <ApiForm
        team={team.id}
        api={api}
        flash={flash}
        mayChange={may('api.change')}
        isReviewed={context.config.reviewsScopes}
      />
      {may('api.delete') && (
        <DeleteApi team={team.id} api={api} flash={flash} isFresh={isFresh({ person, session }, context.now())} />
      )}
    </>
  )
}

export async function generateMetadata({ params }: { params: TeamParams }): Promise<Metadata> {
  const [wrong, t, words] = await Promise.all([
    hasProblems('api'),
    getTranslations('consoleApis'),
    getTranslations('console'),
  ])
  const title = await teamTitle(params, t('title'))
  return { title: wrong ? words('problemTitle', { title }) : title }
}
