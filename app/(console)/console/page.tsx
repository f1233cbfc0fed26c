import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { readConsolePage, readOwnTeams } from '#app/_page/console-page.ts'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { Card } from '#app/_ui/card.tsx'
import { EmptyState } from '#app/_ui/empty-state.tsx'
import { Icon } from '#app/_ui/icon.tsx'
import { PageHeading } from '#app/_ui/page-heading.tsx'
import { NewTeamForm } from '#app/(console)/console/new-team/new-team-form.tsx'
import { newTeamPage } from '#lib/console/team/create-team'
import { ConsoleResult } from './console-result.tsx'
import { TeamList } from './team-list.tsx'

/** The teams of the person. A person without a team creates one on this page. */
export default async function ConsolePage() {
  const { context, flashOf } = await readConsolePage()
  const [teams, flash, created, t] = await Promise.all([
    readOwnTeams(),
    flashOf('members'),
    flashOf('new-team'),
    getTranslations('console.teams'),
  ])
  const mayCreate = context.config.teams !== 'off'
  return (
    <>
      <PageHeading title={t('title')}>{t('lede')}</PageHeading>
      <ConsoleResult flash={flash} />
      {teams.length > 0 ? (
        <>
          <TeamList teams={teams} />
          {mayCreate && (
            <div>
              <ButtonLink href={newTeamPage} look="secondary" icon={<Icon name="plus" />}>
                {t('create')}
              </ButtonLink>
            </div>
          )}
        </>
      ) : (
        <>
          <EmptyState icon="team" title={t('empty')}>
            {t('emptyWhat')}
          </EmptyState>
          {mayCreate && (
            <Card title={t('create')}>
              <NewTeamForm flash={created} invited={context.config.teams === 'invite'} canCancel={false} />
            </Card>
          )}
        </>
      )}
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('console.teams'))('title') }
}
