import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { readAccountPage } from '#app/_page/account-page.ts'
import { withAppInLanguage } from '#app/_page/page-context.ts'
import { PageHeading } from '#app/_ui/page-heading.tsx'
import { kindsOf } from '#lib/account/activity/kind-groups'
import { AliasSummary, AppSummary } from './app-summary.tsx'
import { RecentSignIns } from './recent-sign-ins.tsx'
import { SafetyCard } from './safety-card.tsx'

/** The overview: how safe the account is, the last sign-ins, the apps and the relay addresses. */
export default async function OverviewPage() {
  const { context, person } = await readAccountPage('/account')
  const { issuer, offersRelay } = context.config
  const [ways, activities, connections, aliases, t] = await Promise.all([
    context.factors.ways(person.id),
    context.activity.list(person.id, undefined, 100, kindsOf('sign_ins')),
    context.connections.listConnections(person.id),
    context.hideMyEmail.listAliases(person.id),
    getTranslations('account'),
  ])
  const named = await Promise.all(connections.map(withAppInLanguage))
  const relayed = await Promise.all(aliases.map(withAppInLanguage))
  return (
    <>
      <PageHeading title={t('title')} />
      <SafetyCard ways={ways} email={person.email} />
      <RecentSignIns activities={activities} />
      <AppSummary connections={named} issuer={issuer} />
      {(offersRelay || relayed.length > 0) && (
        <AliasSummary aliases={relayed} person={person} config={context.config} />
      )}
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('account'))('title') }
}
