import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { readAdminPage } from '#app/_page/admin-page.ts'
import { oneOf, type Search } from '#app/_page/interaction-page.ts'
import { Card } from '#app/_ui/card.tsx'
import { CodeBlock } from '#app/_ui/code-block.tsx'
import { EmptyState } from '#app/_ui/empty-state.tsx'
import { EventPages } from '#app/_ui/event-pages.tsx'
import { PageHeading } from '#app/_ui/page-heading.tsx'
import { AdminResult } from '#app/(admin)/admin/admin-result.tsx'
import { adminPages } from '#lib/admin/paths'
import { newTeamPage } from '#lib/console/team/create-team'
import { pathWith } from '#lib/http/redirect'
import { InvitationForm } from './invitation-form.tsx'
import { InvitationList } from './invitation-list.tsx'

const pageLength = 30

/** The invitations of operators: makes, lists and withdraws them. */
export default async function InvitationsPage({ searchParams }: { searchParams: Search }) {
  const { context, flashOf } = await readAdminPage()
  const after = oneOf((await searchParams).after).replaceAll('\0', '')
  const [rows, flash, t] = await Promise.all([
    context.invitations.list(after === '' ? undefined : after, pageLength + 1),
    flashOf('admin-invitations'),
    getTranslations('admin.invitations'),
  ])
  const shown = rows.slice(0, pageLength)
  const { code, made } = flash.kept
  return (
    <>
      <PageHeading title={t('title')}>{t('lede')}</PageHeading>
      <AdminResult flash={flash} />
      {code && (
        <Card title={t('newTitle')}>
          <p>{t('newWhat')}</p>
          <CodeBlock id="invitation-code" label={t('code')}>
            {code}
          </CodeBlock>
          <CodeBlock id="invitation-page" label={t('page')} wrap>
            {`${context.config.accountUrl}${made === 'team' ? newTeamPage : '/signup'}`}
          </CodeBlock>
        </Card>
      )}
      <InvitationForm flash={flash} rules={{ account: context.config.signup, team: context.config.teams }} />
      {shown.length > 0 ? (
        <InvitationList invitations={shown} now={context.now()} />
      ) : (
        <EmptyState icon="mail" title={t('empty')} />
      )}
      <EventPages
        label={t('title')}
        {...(rows.length > pageLength && { older: pathWith(adminPages.invitations, { after: shown.at(-1)?.hash }) })}
        {...(after !== '' && { newest: adminPages.invitations })}
      />
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('admin.invitations'))('title') }
}
