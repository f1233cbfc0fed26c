import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { type AppParams, appTitle, readTeamApp } from '#app/_page/console-app-page.ts'
import { readOwnTeams } from '#app/_page/console-page.ts'
import { hasProblems } from '#app/_page/visitor.ts'
import { Card } from '#app/_ui/card.tsx'
import { ConsoleResult } from '#app/(console)/console/console-result.tsx'
import { AppHead } from '#app/(console)/console/teams/[team]/apps/[app]/app-head.tsx'
import { TransferFacts } from '#app/(console)/console/transfer-facts.tsx'
import { isFresh } from '#lib/account/signed-in/step-up'
import { mayDo } from '#lib/console/roles'
import { offerDays } from '#lib/console/transfer/offer-app'
import { OfferForm } from './offer-form.tsx'
import { OpenOffer } from './open-offer.tsx'

/** Offers an app to another team, after the consequences; or shows the open offer. */
export default async function TransferPage({ params }: { params: AppParams }) {
  const { context, person, session, app, flashOf } = await readTeamApp(params, { action: 'app.transfer' })
  const [flash, offer, teams, t] = await Promise.all([
    flashOf('transfer'),
    context.transfers.findOpen(app.id, context.now()),
    readOwnTeams(),
    getTranslations('consoleTransfer'),
  ])
  const isPossible = !app.removeAfter && (!app.disabledAt || app.disabledBy === 'team')
  const others = teams.filter(({ id, role }) => id !== app.teamId && mayDo(role, 'app.receive'))
  return (
    <>
      <AppHead app={app} current="settings" />
      <ConsoleResult flash={flash} />
      {offer && <OpenOffer offer={offer} />}
      <Card title={t('title')}>
        <p>{t('lede', { days: offerDays })}</p>
        <h3>{t('consequences.title')}</h3>
        <TransferFacts side="giving" />
        {!offer && isPossible && (
          <OfferForm app={app} others={others} flash={flash} isFresh={isFresh({ person, session }, context.now())} />
        )}
        {!isPossible && <p>{t('impossible')}</p>}
      </Card>
    </>
  )
}

export async function generateMetadata({ params }: { params: AppParams }): Promise<Metadata> {
  const [wrong, t, words] = await Promise.all([
    hasProblems('transfer'),
    getTranslations('consoleTransfer'),
    getTranslations('console'),
  ])
  const title = await appTitle(params, t('title'))
  return { title: wrong ? words('problemTitle', { title }) : title }
}
