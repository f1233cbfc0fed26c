import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { readTeamPage, type TeamParams, teamTitle } from '#app/_page/console-page.ts'
import { oneOf, type Search } from '#app/_page/interaction-page.ts'
import { EmptyState } from '#app/_ui/empty-state.tsx'
import { EventDays } from '#app/_ui/event-days.tsx'
import { EventPages } from '#app/_ui/event-pages.tsx'
import { PageHeading } from '#app/_ui/page-heading.tsx'
import { teamPage } from '#lib/console/paths'
import { pathWith } from '#lib/http/redirect'
import { ActLine } from './act-line.tsx'

const pageLength = 40

/** The audit trail of a team: each change with its author, and the values before and after. */
export default async function TeamActivityPage({ params, searchParams }: { params: TeamParams; searchParams: Search }) {
  const { context, team } = await readTeamPage(params, { action: 'audit.read' })
  const after = oneOf((await searchParams).after)
  const acts = await context.acts.list(team.id, after === '' ? undefined : after, pageLength + 1)
  const shown = acts.slice(0, pageLength)
  const t = await getTranslations('console.activity')
  const here = teamPage(team.id, 'activity')
  return (
    <>
      <PageHeading title={t('title')}>{t('lede')}</PageHeading>
      {shown.length > 0 ? (
        <EventDays events={shown} now={context.now()} line={(act) => <ActLine key={act.id} act={act} />} />
      ) : (
        <EmptyState icon="clock" title={t('empty')} />
      )}
      <EventPages
        label={t('title')}
        {...(acts.length > pageLength && { older: pathWith(here, { after: shown.at(-1)?.id }) })}
        {...(after !== '' && { newest: here })}
      />
    </>
  )
}

export async function generateMetadata({ params }: { params: TeamParams }): Promise<Metadata> {
  return { title: await teamTitle(params, (await getTranslations('console.activity'))('title')) }
}
