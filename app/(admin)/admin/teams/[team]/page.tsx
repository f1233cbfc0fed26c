import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { readAdminPage } from '#app/_page/admin-page.ts'
import { oneOf, type Search } from '#app/_page/interaction-page.ts'
import { Card } from '#app/_ui/card.tsx'
import { EventDays } from '#app/_ui/event-days.tsx'
import { EventPages } from '#app/_ui/event-pages.tsx'
import { PageHeading } from '#app/_ui/page-heading.tsx'
import { TimeAgo } from '#app/_ui/time-ago.tsx'
import { AdminResult } from '#app/(admin)/admin/admin-result.tsx'
import { CloseForm } from '#app/(admin)/admin/close-form.tsx'
import { Facts } from '#app/(admin)/admin/facts.tsx'
import { AppRows } from '#app/(admin)/admin/teams/app-rows.tsx'
import { ActLine } from '#app/(console)/console/teams/[team]/activity/act-line.tsx'
import { teamOfOperators } from '#lib/admin/paths'
import { listActs } from '#lib/admin/teams/list-acts'
import { mayDo } from '#lib/console/roles'
import { pathWith } from '#lib/http/redirect'

const [appsOnPage, actsOnPage] = [50, 30]

/** A team as an operator sees it: members, apps and activity. */
export default async function TeamPage({ params, searchParams }: TeamPageProps) {
  const { context, flashOf } = await readAdminPage()
  const id = decodeURIComponent((await params).team)
    .replaceAll('\0', '')
    .slice(0, 64)
  const after = oneOf((await searchParams).after).replaceAll('\0', '')
  const team = mayDo('operator', 'team.read') ? await context.operatorTeams.findTeam(id, context.now()) : undefined
  if (!team) notFound()
  const [flash, apps, acts, t, role] = await Promise.all([
    flashOf('admin-team'),
    context.teams.listApps(id, after, appsOnPage + 1),
    listActs(context, id, actsOnPage),
    getTranslations('admin.teams'),
    getTranslations('console.roles'),
  ])
  const members = team.members.map((one) => `${one.username} (${role(one.role)})`).join(', ')
  const shown = apps.slice(0, appsOnPage)
  return (
    <>
      <PageHeading title={<bdi translate="no">{team.name}</bdi>}>{t('teamLede')}</PageHeading>
      <AdminResult flash={flash} />
      <Card title={t('team')}>
        <Facts
          facts={[
            [t('id'), <code key="id">{team.id}</code>],
            [t('closed'), team.closedAt && <TimeAgo key="closed" at={team.closedAt} />],
            [t('created'), <TimeAgo key="created" at={team.createdAt} />],
            [t('members'), <bdi key="members">{members || t('noMembers')}</bdi>],
            [t('apis'), String(team.apis)],
            [t('invitations'), String(team.invitations)],
          ]}
        />
      </Card>
      {shown.length > 0 && (
        <AppRows apps={shown.map((app) => ({ id: app.id, name: app.name, isClosed: app.isDisabled }))} />
      )}
      <EventPages
        label={t('apps')}
        more={t('more')}
        {...(apps.length > appsOnPage && { older: pathWith(teamOfOperators(id), { after: shown.at(-1)?.id }) })}
      />
      <CloseForm what="team" id={team.id} isClosed={team.closedAt !== null} flash={flash} />
      {acts.length > 0 && (
        <EventDays events={acts} now={context.now()} line={(act) => <ActLine key={act.id} act={act} />} />
      )}
    </>
  )
}

type TeamPageProps = { params: Promise<{ team: string }>; searchParams: Search }

/** The title does not name the team, because the title is rendered before the access is decided. */
export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('admin.teams'))('team') }
}
