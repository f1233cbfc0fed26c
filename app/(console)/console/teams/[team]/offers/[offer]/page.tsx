import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import { readTeamPage, teamTitle } from '#app/_page/console-page.ts'
import { hasProblems } from '#app/_page/visitor.ts'
import { Actions } from '#app/_ui/actions.tsx'
import { BackLink } from '#app/_ui/back-link.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { CodeBlock } from '#app/_ui/code-block.tsx'
import { Day } from '#app/_ui/day.tsx'
import { Form } from '#app/_ui/form.tsx'
import { inOneLine } from '#app/_ui/in-one-line.ts'
import { PageHeading } from '#app/_ui/page-heading.tsx'
import { ConsoleResult } from '#app/(console)/console/console-result.tsx'
import { TransferFacts } from '#app/(console)/console/transfer-facts.tsx'
import { isFresh } from '#lib/account/signed-in/step-up'
import { offeredNameProblems } from '#lib/console/app/app-name'
import { teamPage } from '#lib/console/paths'
import { RefusedNames } from './refused-names.tsx'

type OfferParams = Promise<{ team: string; offer: string }>

/** An app that another team offers: the consequences, and the forms that accept or decline it. */
export default async function OfferPage({ params }: { params: OfferParams }) {
  const { context, person, session, team, flashOf } = await readTeamPage(params, { action: 'app.receive' })
  const id = decodeURIComponent((await params).offer)
  const [flash, offer, t, words] = await Promise.all([
    flashOf('offer'),
    context.transfers.findReceived(team.id, id, context.now()),
    getTranslations('consoleTransfer.offer'),
    getTranslations('console'),
  ])
  if (!offer && flash.problems.length === 0) notFound()
  const app = offer && (await context.teamApps.find(offer.app.id))
  const refused = app ? await offeredNameProblems(context, { team }, app) : []
  return (
    <>
      <BackLink href={teamPage(team.id)}>{words('sections.overview')}</BackLink>
      <PageHeading title={t('title')}>
        {offer &&
          t.rich('lede', {
            team: () => <bdi translate="no">{inOneLine(offer.from.name)}</bdi>,
            app: () => <bdi translate="no">{inOneLine(offer.app.name)}</bdi>,
          })}
      </PageHeading>
      <ConsoleResult flash={flash} />
      {offer && <RefusedNames names={refused} offer={offer} />}
      {offer && (
        <Card title={t('then')}>
          <CodeBlock id="offer-app" label="client_id">
            {offer.app.id}
          </CodeBlock>
          <TransferFacts side="receiving" />
          <p>{t.rich('until', { day: () => <Day at={offer.expiresAt} /> })}</p>
          {!isFresh({ person, session }, context.now()) && <p>{words('fresh')}</p>}
          {refused.length === 0 && (
            <Form action="/console/app/accept-offer">
              <HiddenFields values={{ team: team.id, offer: offer.id, app: offer.app.id }} />
              <Actions>
                <Button type="submit" id="offer-accept" busyText={t('accepting')}>
                  {t('accept')}
                </Button>
              </Actions>
            </Form>
          )}
          <Form action="/console/app/decline-offer">
            <HiddenFields values={{ team: team.id, offer: offer.id }} />
            <Actions>
              <Button type="submit" id="offer-decline" look="secondary" busyText={t('declining')}>
                {t('decline')}
              </Button>
            </Actions>
          </Form>
        </Card>
      )}
    </>
  )
}

export async function generateMetadata({ params }: { params: OfferParams }): Promise<Metadata> {
  const [wrong, t, words] = await Promise.all([
    hasProblems('offer'),
    getTranslations('consoleTransfer.offer'),
    getTranslations('console'),
  ])
  const title = await teamTitle(params, t('title'))
  return { title: wrong ? words('problemTitle', { title }) : title }
}
