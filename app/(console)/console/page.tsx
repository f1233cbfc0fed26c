import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { readConsolePage, readOwnTeams } from '#app/_page/console-page.ts'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { EmptyState } from '#app/_ui/empty-state.tsx'
import { Icon } from '#app/_ui/icon.tsx'
import { PageHeading } from '#app/_ui/page-heading.tsx'
import { newTeamPage } from '#lib/console/team/create-team'
import { ConsoleResult } from './console-result.tsx'
import { TeamList } from './team-list.tsx'

/** The teams of the person. */
export default async function ConsolePage() {
  const { context, flashOf } = await readConsolePage()
  const [teams, flash, t] = await Promise.all([readOwnTeams(), flashOf('members'), getTranslations('console.teams')])
  const create = context.config.teams !== 'off' && (
    <ButtonLink href={newTeamPage} look={teams.length > 0 ? 'secondary' : 'primary'} icon={<Icon name="plus" />}>
      {t('create')}
    </ButtonLink>
  )
  return (
    <>
      <PageHeading title={t('title')}>{t('lede')}</PageHeading>
      <ConsoleResult flash={flash} />
      {teams.length > 0 ? (
        <>
          <TeamList teams={teams} />
          {create && <div>{create}</div>}
        </>
      ) : (
        <EmptyState icon="team" title={t('empty')} action={create}>
          {t('emptyWhat')}
        </EmptyState>
      )}
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('console.teams'))('title') }
}
