import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { readAccountPage } from '#app/_page/account-page.ts'
import type { Search } from '#app/_page/interaction-page.ts'
import { withAppInLanguage } from '#app/_page/page-context.ts'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { EmptyState } from '#app/_ui/empty-state.tsx'
import { Icon } from '#app/_ui/icon.tsx'
import { PageHeading } from '#app/_ui/page-heading.tsx'
import rows from '#app/_ui/row-list.module.css'
import { MailPaused } from '#app/(account)/account/mail-paused.tsx'
import { readSearch, searchAliases, searchFrom } from '#lib/account/hide-my-email/search-aliases'
import { aliasAddress } from '#lib/relay/recipient/local-part'
import { AliasRow } from './alias-row.tsx'
import { AliasSearch } from './alias-search.tsx'
import { ExportForm } from './export-form.tsx'
import { NewAppsCard } from './new-apps-card.tsx'
import { NoInbox } from './no-inbox.tsx'
import { Outcome } from './outcome.tsx'

/** The relay addresses of the person: their apps, states and counts of mail (relay §8). */
export default async function HideMyEmailPage({ searchParams }: { searchParams: Search }) {
  const search = readSearch((await searchParams).q)
  const { context, person, flashOf } = await readAccountPage('/account/hide-my-email')
  const [stored, flash, t] = await Promise.all([
    context.hideMyEmail.listAliases(person.id),
    flashOf('hide-my-email'),
    getTranslations('hideMyEmail'),
  ])
  const aliases = await Promise.all(stored.map(withAppInLanguage))
  const { offersRelay, mostByHand, relayDomain } = context.config
  const shown = search ? searchAliases(aliases, search, (name) => aliasAddress(name, relayDomain)) : aliases
  if (aliases.length === 0 && !offersRelay) redirect('/account')
  return (
    <>
      <PageHeading title={t('title')}>{t('lede')}</PageHeading>
      <Outcome flash={flash} />
      <MailPaused person={person} />
      {offersRelay && mostByHand > 0 && (
        <div>
          <ButtonLink href="/account/hide-my-email/new" id="alias-new" look="secondary" icon={<Icon name="mask" />}>
            {t('make.open')}
          </ButtonLink>
        </div>
      )}
      {aliases.length === 0 ? (
        <EmptyState
          icon="mask"
          title={t('empty.title')}
          action={
            <ButtonLink href="/account/apps" look="secondary">
              {t('empty.action')}
            </ButtonLink>
          }
        >
          {t('empty.text')}
        </EmptyState>
      ) : (
        <>
          {person.email === undefined && <NoInbox />}
          {(search || aliases.length >= searchFrom) && (
            <AliasSearch search={search} found={shown.length} all={aliases.length} />
          )}
          {shown.length > 0 && (
            <ul className={rows.list}>
              {shown.map((alias) => (
                <AliasRow key={alias.name} alias={alias} person={person} config={context.config} search={search} />
              ))}
            </ul>
          )}
          <div>
            <ExportForm />
          </div>
        </>
      )}
      {offersRelay && <NewAppsCard person={person} />}
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('hideMyEmail'))('title') }
}
