import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { readAccountPage } from '#app/_page/account-page.ts'
import { inPageLanguage, pageContext, withAppInLanguage } from '#app/_page/page-context.ts'
import { Outcome } from '#app/(account)/account/apps/outcome.tsx'
import { appPage } from '#lib/account/connected-apps/connected-apps'
import { AppHeading } from './app-heading.tsx'
import { SharingForm } from './sharing-form.tsx'
import { StopSharing } from './stop-sharing.tsx'

/** The data that one app may see, with its values, and the forms that change this. */
export default async function ConnectedAppPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  const appId = decodeURIComponent(id)
  const { context, person, flashOf } = await readAccountPage(appPage(appId))
  const stored = await context.connections.findConnection(person.id, appId)
  if (!stored) notFound()
  const connection = await withAppInLanguage(stored)
  const [client, alias, flash] = await Promise.all([
    context.oauth.store.findClient(appId),
    context.aliases.findAddress(person.id, appId),
    flashOf('connected-apps'),
  ])
  const { issuer } = context.config
  return (
    <>
      <AppHeading connection={connection} issuer={issuer} />
      <Outcome flash={flash} />
      {client && (
        <SharingForm
          connection={connection}
          client={await inPageLanguage(client)}
          apis={await context.oauth.store.findApis(client.teamId)}
          person={person}
          alias={alias}
          issuer={issuer}
          offersRelay={context.config.offersRelay}
          problems={flash.problems}
        />
      )}
      <StopSharing connection={connection} />
    </>
  )
}

export async function generateMetadata({ params }: { params: Promise<{ id: string }> }): Promise<Metadata> {
  const [{ id }, context, t] = await Promise.all([params, pageContext(), getTranslations('connections')])
  const client = await context.oauth.store.findClient(decodeURIComponent(id))
  return { title: client ? `${(await inPageLanguage(client)).name} · ${t('title')}` : t('title') }
}
