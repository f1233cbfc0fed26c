import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { readAdminPage } from '#app/_page/admin-page.ts'
import { Card } from '#app/_ui/card.tsx'
import { EventDays } from '#app/_ui/event-days.tsx'
import { Notice } from '#app/_ui/notice.tsx'
import { PageHeading } from '#app/_ui/page-heading.tsx'
import { AdminResult } from '#app/(admin)/admin/admin-result.tsx'
import { RecordLine } from '#app/(admin)/admin/record/record-line.tsx'
import { throttleKeysOf } from '#lib/sign-in/throttle/keys-of-person'
import { PersonActs } from './person-acts.tsx'
import { PersonFactors } from './person-factors.tsx'
import { PersonState } from './person-state.tsx'

/** A person: state, factors, counts, the acts of an operator, and what operators did before. */
export default async function PersonPage({ params }: { params: Promise<{ id: string }> }) {
  const { context, person: operator, flashOf } = await readAdminPage()
  const now = context.now()
  const id = decodeURIComponent((await params).id)
    .replaceAll('\0', '')
    .slice(0, 64)
  const person = await context.operatorPeople.look(id, now, operator.username)
  if (!person) notFound()
  const { username, email } = person
  const [waitsUntil, lines, flash, t] = await Promise.all([
    context.operatorPeople.waitsUntil(throttleKeysOf({ personId: id, username, email: email ?? undefined }), now),
    context.operatorRecord.list({ personId: id }, undefined, 10),
    flashOf('person'),
    getTranslations('admin.person'),
  ])
  const isOwn = operator.id === id
  return (
    <>
      <PageHeading title={<span translate="no">{username}</span>}>{t('lede')}</PageHeading>
      <AdminResult flash={flash} />
      <PersonState person={person} waitsUntil={waitsUntil} />
      <PersonFactors person={person} />
      {isOwn ? (
        <Notice title={t('own')} />
      ) : (
        <Card title={t('acts')}>
          <PersonActs person={person} flash={flash} />
        </Card>
      )}
      <EventDays events={lines} now={now} line={(line) => <RecordLine key={line.id} line={line} />} />
    </>
  )
}

/** The title does not name the person, because the title is rendered before the access is decided. */
export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('admin.person'))('title') }
}
