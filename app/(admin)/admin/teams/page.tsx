import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { readAdminPage } from '#app/_page/admin-page.ts'
import { oneOf, type Search } from '#app/_page/interaction-page.ts'
import { EmptyState } from '#app/_ui/empty-state.tsx'
import { PageHeading } from '#app/_ui/page-heading.tsx'
import { SearchForm } from '#app/(admin)/admin/search-form.tsx'
import { adminPages } from '#lib/admin/paths'
import { searchTeams } from '#lib/admin/teams/search-teams'
import { AppRows } from './app-rows.tsx'
import { TeamRows } from './team-rows.tsx'

/** The search for teams and apps. */
export default async function TeamsPage({ searchParams }: { searchParams: Search }) {
  const { context } = await readAdminPage()
  const typed = oneOf((await searchParams).q)
  const [{ teams, apps }, t] = await Promise.all([searchTeams(context, typed), getTranslations('admin.teams')])
  return (
    <>
      <PageHeading title={t('title')}>{t('lede')}</PageHeading>
      <SearchForm action={adminPages.teams} label={t('search')} help={t('searchHelp')} typed={typed} />
      {teams.length + apps.length === 0 && <EmptyState icon="team" title={t('none')} />}
      {teams.length > 0 && <TeamRows teams={teams} />}
      {apps.length > 0 && (
        <AppRows
          apps={apps.map(({ team, disabledAt, ...app }) => ({
            ...app,
            team: team.name,
            isClosed: disabledAt !== null,
          }))}
        />
      )}
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('admin.teams'))('title') }
}
