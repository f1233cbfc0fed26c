import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { readTeamPage, type TeamParams, teamTitle } from '#app/_page/console-page.ts'
import { hasProblems } from '#app/_page/visitor.ts'
import { Card } from '#app/_ui/card.tsx'
import { CodeBlock } from '#app/_ui/code-block.tsx'
import { PageHeading } from '#app/_ui/page-heading.tsx'
import { ConsoleResult } from '#app/(console)/console/console-result.tsx'
import { LeaveTeam } from './leave-team.tsx'
import { RenameForm } from './rename-form.tsx'

/** The name and the id of a team, and the way out of it. */
export default async function TeamSettingsPage({ params }: { params: TeamParams }) {
  const { context, person, team, may, flashOf } = await readTeamPage(params)
  const [flash, alone, t] = await Promise.all([
    flashOf('team-name'),
    context.teams.soleOwnerOf(person.id),
    getTranslations('console.settings'),
  ])
  return (
    <>
      <PageHeading title={t('title')} />
      <ConsoleResult flash={flash} />
      <Card title={t('name')}>
        {may('team.rename') ? <RenameForm team={team} flash={flash} /> : <p>{t('nameFixed')}</p>}
      </Card>
      <Card title={t('id')}>
        <p>{t('idWhat')}</p>
        <CodeBlock id="team-id" label={t('id')}>
          {team.id}
        </CodeBlock>
      </Card>
      <LeaveTeam team={team} isOnlyOwner={alone.some(({ id }) => id === team.id)} />
    </>
  )
}

export async function generateMetadata({ params }: { params: TeamParams }): Promise<Metadata> {
  const [wrong, t] = await Promise.all([hasProblems('team-name'), getTranslations('console')])
  const title = await teamTitle(params, t('settings.title'))
  return { title: wrong ? t('problemTitle', { title }) : title }
}
