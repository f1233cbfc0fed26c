import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { readAccountPage } from '#app/_page/account-page.ts'
import { withAppInLanguage } from '#app/_page/page-context.ts'
import { NoInbox } from '#app/(account)/account/hide-my-email/no-inbox.tsx'
import { Outcome } from '#app/(account)/account/hide-my-email/outcome.tsx'
import { MailPaused } from '#app/(account)/account/mail-paused.tsx'
import { aliasState } from '#lib/account/hide-my-email/alias-state'
import { aliasPage } from '#lib/account/hide-my-email/change-alias'
import { AliasCard } from './alias-card.tsx'
import { AliasHeading } from './alias-heading.tsx'
import { ChoiceCard } from './choice-card.tsx'
import { DeleteCard } from './delete-card.tsx'
import { TestCard } from './test-card.tsx'
import { WordsCard } from './words-card.tsx'

/** One relay address: its state, its counts of mail, and the settings of its owner. */
export default async function RelayAddressPage({ params }: { params: Promise<{ name: string }> }) {
  const name = decodeURIComponent((await params).name)
  const { context, session, person, flashOf } = await readAccountPage(aliasPage(name))
  const stored = await context.hideMyEmail.findOwnAlias(person.id, name)
  const alias = stored && (await withAppInLanguage(stored))
  if (!alias) notFound()
  const [consent, flash] = await Promise.all([
    alias.app && context.consents.findConsent(person.id, alias.app.id),
    flashOf('hide-my-email'),
  ])
  const state = aliasState(alias, person)
  const shown = { session: session.publicId, alias, state, email: person.email ?? '' }
  return (
    <>
      <AliasHeading alias={alias} issuer={context.config.issuer} />
      <Outcome flash={flash} plain={state.kind !== 'on'} />
      <MailPaused person={person} />
      {state.kind === 'unbound' && <NoInbox />}
      <AliasCard {...shown} relayDomain={context.config.relayDomain} />
      <WordsCard {...shown} flash={flash} />
      {['on', 'off', 'paused'].includes(state.kind) && (
        <ChoiceCard {...shown} consent={consent} offersRelay={context.config.offersRelay} />
      )}
      {state.kind === 'on' && <TestCard {...shown} />}
      {alias.byHand && <DeleteCard {...shown} />}
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('hideMyEmail'))('title') }
}
