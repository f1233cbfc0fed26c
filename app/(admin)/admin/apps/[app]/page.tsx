import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { readAdminPage } from '#app/_page/admin-page.ts'
import { Card } from '#app/_ui/card.tsx'
import { Day } from '#app/_ui/day.tsx'
import { PageHeading } from '#app/_ui/page-heading.tsx'
import { TimeAgo } from '#app/_ui/time-ago.tsx'
import { AdminResult } from '#app/(admin)/admin/admin-result.tsx'
import { CloseForm } from '#app/(admin)/admin/close-form.tsx'
import { Facts } from '#app/(admin)/admin/facts.tsx'
import { adminPages, teamOfOperators } from '#lib/admin/paths'
import { mayDo } from '#lib/console/roles'

/** An app of any team: its registration, and the form that closes or opens it. */
export default async function AppPage({ params }: { params: Promise<{ app: string }> }) {
  const { context, flashOf } = await readAdminPage()
  const id = decodeURIComponent((await params).app)
    .replaceAll('\0', '')
    .slice(0, 64)
  const app = mayDo('operator', 'app.read') ? await context.teamApps.find(id) : undefined
  if (!app) notFound()
  const [flash, t, scopes] = await Promise.all([
    flashOf('admin-app'),
    getTranslations('admin.app'),
    getTranslations('admin.scopes'),
  ])
  const state = app.disabledAt ? states[app.disabledBy as keyof typeof states] : 'open'
  return (
    <>
      <PageHeading title={<bdi translate="no">{app.name}</bdi>}>{t('lede')}</PageHeading>
      <AdminResult flash={flash} />
      <Card title={t('title')}>
        <Facts
          facts={[
            ['client_id', <code key="id">{app.id}</code>],
            [
              t('team'),
              <a key="team" href={teamOfOperators(app.teamId)} translate="no">
                {app.teamId}
              </a>,
            ],
            [t('state'), t(state ?? 'byTeam')],
            [t('removed'), app.removeAfter && <Day at={app.removeAfter} />],
            [t('created'), <TimeAgo key="created" at={app.createdAt} />],
            [t('secrets'), String(app.secrets.length)],
            [t('keys'), String(app.keys.length)],
            [
              scopes('waiting'),
              app.waitingScopes.length > 0 && (
                <span key="waiting">
                  <code translate="no">{app.waitingScopes.join(' ')}</code>{' '}
                  <a href={adminPages.scopes}>{scopes('decide')}</a>
                </span>
              ),
            ],
          ]}
        />
      </Card>
      <Card title={t('values')}>
        <Facts facts={Object.entries(app.declaration).map(([name, value]) => [name, shown(value)])} />
      </Card>
      <CloseForm what="app" id={app.id} isClosed={app.disabledBy === 'operator'} flash={flash} />
    </>
  )
}

const states = { team: 'byTeam', operator: 'byOperator', deletion: 'byDeletion', transfer: 'byTransfer' } as const

const shown = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(shown).join(' ')
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')
}

/** The title does not name the app, because the title is rendered before the access is decided. */
export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('admin.app'))('title') }
}
