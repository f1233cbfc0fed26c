import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { readAccountPage } from '#app/_page/account-page.ts'
import type { Search } from '#app/_page/interaction-page.ts'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import eventStyles from '#app/_ui/event-list.module.css'
import { PageHeading } from '#app/_ui/page-heading.tsx'
import { ActivityLine } from '#app/(account)/account/activity/activity-line.tsx'
import { readMoment } from '#app/(account)/account/activity/read-moment.ts'
import { SecurityResult } from '#app/(account)/account/security/security-result.tsx'
import { secureStepLink } from '#lib/account/activity/secure-steps'
import { SecureSteps } from './secure-steps.tsx'

/** "This wasn't me": leads through securing the account, and shows what is already done since the event. */
export default async function SecurePage({ searchParams }: { searchParams: Search }) {
  const { context, person, session, flashOf } = await readAccountPage('/account/activity/secure')
  const at = readMoment((await searchParams).at)
  const [ways, sessions, flashes, near, t] = await Promise.all([
    context.factors.ways(person.id),
    context.sessions.list(person.id, context.now()),
    Promise.all(['security', 'security-password'].map(flashOf)),
    at ? context.activity.list(person.id, new Date(at.getTime() + 1), 1) : [],
    getTranslations('activity.secureFlow'),
  ])
  const event = near.find((one) => one.at.getTime() === at?.getTime())
  return (
    <>
      <PageHeading title={t('title')}>{t('lede')}</PageHeading>
      <SecurityResult flashes={flashes} />
      {event && (
        <section className={eventStyles.day} aria-labelledby="event-heading">
          <h2 id="event-heading">{t('event')}</h2>
          <ul>
            <ActivityLine activity={event} id="event" />
          </ul>
        </section>
      )}
      <SecureSteps
        at={at}
        ways={ways}
        others={sessions.filter(({ publicId }) => publicId !== session.publicId).length}
        email={person.email}
      />
      <div>
        <ButtonLink href={secureStepLink(at)}>{t('finish')}</ButtonLink>
      </div>
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('activity.secureFlow'))('title') }
}
