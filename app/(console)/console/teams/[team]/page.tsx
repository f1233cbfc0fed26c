import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { readTeamPage, type TeamParams, teamTitle } from '#app/_page/console-page.ts'
import { oneOf, type Search } from '#app/_page/interaction-page.ts'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { EmptyState } from '#app/_ui/empty-state.tsx'
import { Icon } from '#app/_ui/icon.tsx'
import { inOneLine } from '#app/_ui/in-one-line.ts'
import { Notice } from '#app/_ui/notice.tsx'
import { PageHeading } from '#app/_ui/page-heading.tsx'
import { ConsoleResult } from '#app/(console)/console/console-result.tsx'
import { apisPage, teamPage } from '#lib/console/paths'
import { pathWith } from '#lib/http/redirect'
import { AppSearch } from './app-search.tsx'
import { ReceivedOffers } from './received-offers.tsx'
import { TeamApps } from './team-apps.tsx'

const pageLength = 50
/** With more apps than these, the page has a search. */
const searchableFrom = 10
/** The most offers of other teams on the page, the newest ones: as many as one team can have open. */
const mostShown = 20

/** A team: the person's role, the number of members, and the apps. */
export default async function TeamPage({ params, searchParams }: { params: TeamParams; searchParams: Search }) {
  const { context, team, may, flashOf } = await readTeamPage(params)
  const sent = await searchParams
  const after = oneOf(sent.after)
  const search = oneOf(sent.search).trim().slice(0, 100)
  const [apps, offers, created, joined, declined, t] = await Promise.all([
    context.teams.listApps(team.id, after, pageLength + 1, search),
    may('app.receive') ? context.transfers.listReceived(team.id, context.now(), mostShown) : [],
    flashOf('new-team'),
    flashOf('join'),
    flashOf('offer'),
    getTranslations('console.overview'),
  ])
  const roles = await getTranslations('console.roles')
  const words = await getTranslations('consoleApps.newApp')
  const apis = await getTranslations('consoleApis')
  const shown = apps.slice(0, pageLength)
  const newApp = may('app.register') && (
    <ButtonLink href={teamPage(team.id, 'new-app')} icon={<Icon name="plus" />}>
      {words('open')}
    </ButtonLink>
  )
  return (
    <>
      <PageHeading title={<bdi translate="no">{inOneLine(team.name)}</bdi>}>
        {t('lede', { role: roles(team.role), apps: team.apps, members: team.members })}
      </PageHeading>
      <ConsoleResult flash={[created, declined].find(({ done }) => done) ?? joined} />
      {team.isClosed && (
        <Notice kind="attention" title={t('closed')}>
          {t('closedWhat')}
        </Notice>
      )}
      <ReceivedOffers offers={offers} />
      {team.apps > 0 && newApp && <div>{newApp}</div>}
      {team.apps > searchableFrom && <AppSearch team={team.id} search={search} />}
      {shown.length > 0 && <TeamApps team={team.id} apps={shown} />}
      {shown.length === 0 && team.apps > 0 && <p role="status">{t('notFound')}</p>}
      {team.apps === 0 && (
        <EmptyState icon="app" title={t('empty')} {...(newApp && { action: newApp })}>
          {t(may('app.register') ? 'emptyWhat' : 'emptyAsk')}
        </EmptyState>
      )}
      <div>
        <a href={apisPage(team.id)}>{apis('open')}</a>
      </div>
      {apps.length > pageLength && (
        <div>
          <ButtonLink
            href={pathWith(teamPage(team.id), { search: search || undefined, after: shown.at(-1)?.id })}
            look="secondary"
          >
            {t('more')}
          </ButtonLink>
        </div>
      )}
    </>
  )
}

export async function generateMetadata({ params }: { params: TeamParams }): Promise<Metadata> {
  return { title: await teamTitle(params, (await getTranslations('console.sections'))('overview')) }
}
