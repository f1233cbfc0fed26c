import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { readAccountPage } from '#app/_page/account-page.ts'
import { hasProblems } from '#app/_page/visitor.ts'
import { Card } from '#app/_ui/card.tsx'
import { PageHeading } from '#app/_ui/page-heading.tsx'
import { graceDays, isLeaving } from '#lib/account/data/deletion'
import { DeletionForm } from './deletion-form.tsx'
import { TeamsInNeed } from './teams-in-need.tsx'
import { WhatHappens } from './what-happens.tsx'

/** Explains what the deletion removes and what it keeps, and asks for confirmation. */
export default async function DeletePage() {
  const { context, person, flashOf } = await readAccountPage('/account/data/delete', { fresh: true })
  if (isLeaving(person)) redirect('/account/data')
  const [flash, teams, isLast, t] = await Promise.all([
    flashOf('delete'),
    context.deletions.teamsInNeed(person.id),
    context.operators.isLast(person.id),
    getTranslations('deletion'),
  ])
  if (teams.length > 0)
    return (
      <>
        <PageHeading title={t('title')} />
        <TeamsInNeed teams={teams} />
      </>
    )
  if (isLast)
    return (
      <>
        <PageHeading title={t('title')} />
        <Card title={t('lastOperator')}>
          <p>{t('lastOperatorWhat')}</p>
        </Card>
      </>
    )
  return (
    <>
      <PageHeading title={t('title')}>{t('lede')}</PageHeading>
      <WhatHappens
        at={new Date(context.now().getTime() + graceDays * 86_400_000)}
        offersRelay={context.config.offersRelay}
      />
      <DeletionForm username={person.username} flash={flash} />
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  const [wrong, t, account] = await Promise.all([
    hasProblems('delete'),
    getTranslations('deletion'),
    getTranslations('account'),
  ])
  return { title: wrong ? account('problemTitle', { title: t('title') }) : t('title') }
}
