import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { readAccountPage } from '#app/_page/account-page.ts'
import { withAppInLanguage } from '#app/_page/page-context.ts'
import { PageHeading } from '#app/_ui/page-heading.tsx'
import { AppsSummary } from '#app/(account)/account/overview/apps-summary.tsx'
import { RecentSignIns } from '#app/(account)/account/overview/recent-sign-ins.tsx'
import { RelaySummary } from '#app/(account)/account/overview/relay-summary.tsx'
import { Safety } from '#app/(account)/account/overview/safety.tsx'
import { aliasState } from '#lib/account/hide-my-email/alias-state'

const shownSignIns = 3

/** The overview: how safe the account is with one next step, the last sign-ins, the apps and the relay addresses. */
export default async function OverviewPage() {
  const { context, person } = await readAccountPage('/account')
  const [ways, signIns, stored, aliases, t] = await Promise.all([
    context.factors.ways(person.id),
    context.activity.list(person.id, undefined, shownSignIns, ['signed_in', 'sign_in_failed']),
    context.connections.listConnections(person.id),
    context.hideMyEmail.listAliases(person.id),
    getTranslations('overview'),
  ])
  const connections = await Promise.all(stored.map(withAppInLanguage))
  const on = aliases.filter((alias) => aliasState(alias, person).kind === 'on').length
  return (
    <>
      <PageHeading title={t('title')}>{t('lede', { name: person.name || person.username })}</PageHeading>
      <Safety ways={ways} email={person.email} />
      <RecentSignIns signIns={signIns.slice(0, shownSignIns)} />
      <AppsSummary connections={connections} issuer={context.config.issuer} />
      {(context.config.offersRelay || aliases.length > 0) && <RelaySummary count={aliases.length} on={on} />}
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('overview'))('title') }
}
