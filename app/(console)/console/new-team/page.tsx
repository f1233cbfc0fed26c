import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { readConsolePage } from '#app/_page/console-page.ts'
import { hasProblems } from '#app/_page/visitor.ts'
import { PageHeading } from '#app/_ui/page-heading.tsx'
import { ConsoleResult } from '#app/(console)/console/console-result.tsx'
import { NewTeamForm } from './new-team-form.tsx'

/** Creates a team. */
export default async function NewTeamPage() {
  const { context, flashOf } = await readConsolePage()
  if (context.config.teams === 'off') notFound()
  const [flash, t] = await Promise.all([flashOf('new-team'), getTranslations('console.newTeam')])
  return (
    <>
      <PageHeading title={t('title')}>{t('lede')}</PageHeading>
      <ConsoleResult flash={flash} />
      <NewTeamForm flash={flash} invited={context.config.teams === 'invite'} />
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  const [wrong, t] = await Promise.all([hasProblems('new-team'), getTranslations('console')])
  const title = t('newTeam.title')
  return { title: wrong ? t('problemTitle', { title }) : title }
}
