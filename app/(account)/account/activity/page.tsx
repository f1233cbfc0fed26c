import type { Metadata } from 'next'
import { getLocale, getTranslations } from 'next-intl/server'
import { readAccountPage } from '#app/_page/account-page.ts'
import type { Search } from '#app/_page/interaction-page.ts'
import { EmptyState } from '#app/_ui/empty-state.tsx'
import { EventDays } from '#app/_ui/event-days.tsx'
import { EventPages } from '#app/_ui/event-pages.tsx'
import { PageHeading } from '#app/_ui/page-heading.tsx'
import type { Activity } from '#lib/account/activity/activity'
import { describeDevice } from '#lib/account/activity/describe-event'
import { activityPath, findActivities, matchActivity, readActivityQuery } from '#lib/account/activity/filter-activity'
import { kindsOf } from '#lib/account/activity/kind-groups'
import { nameOfPlace, placeOf } from '#lib/account/activity/place'
import { ActivityFilter } from './activity-filter.tsx'
import { ActivityLine } from './activity-line.tsx'
import { ActivitySearch } from './activity-search.tsx'
import { readMoment } from './read-moment.ts'

const pageLength = 40
/** The apps to choose from are those of the latest events. */
const readForApps = 500

/** The activity of the account. */
export default async function ActivityPage({ searchParams }: { searchParams: Search }) {
  const { context, person } = await readAccountPage('/account/activity')
  const sent = await searchParams
  const before = readMoment(sent.before)
  const query = readActivityQuery(sent)
  const matches = matchActivity(query, await readWords())
  const [{ found, older }, latest, t] = await Promise.all([
    findActivities(context.activity, person.id, {
      before,
      kinds: query.about && kindsOf(query.about),
      most: pageLength,
      matches,
    }),
    context.activity.list(person.id, undefined, readForApps),
    getTranslations('activity'),
  ])
  const isFound = query.app !== '' || query.search !== ''
  return (
    <>
      <PageHeading title={t('title')}>{t('lede')}</PageHeading>
      <ActivityFilter query={query} />
      <ActivitySearch query={query} apps={appsIn(latest, query.app)} />
      {found.length > 0 ? (
        <EventDays
          events={found}
          now={context.now()}
          line={(activity, index) => <ActivityLine key={index} activity={activity} id={`event-${index}`} mayDeny />}
        />
      ) : (
        <EmptyState
          icon="clock"
          title={t(isFound ? 'find.none' : before ? 'noEarlier' : query.about ? 'noneOfKind' : 'empty')}
        >
          {isFound ? t('find.noneWhat') : !before && !query.about && t('emptyWhat')}
        </EmptyState>
      )}
      <EventPages
        label={t('title')}
        {...(older && { older: activityPath(query, older) })}
        {...(before && { newest: activityPath(query) })}
      />
    </>
  )
}

/** Names of apps, with the chosen one even when its events are older. */
const appsIn = (activities: Activity[], chosen: string): string[] =>
  [...new Set([...activities.map(({ detail }) => detail.app ?? ''), chosen])].filter(Boolean).sort()

/** Returns the texts of an event that the search looks into, in the language of the page. */
async function readWords() {
  const [t, place, locale] = await Promise.all([getTranslations('activity'), getTranslations('place'), getLocale()])
  const places = { here: place('here'), near: place('near'), inCity: place.raw('inCity'), approximate: '{place}' }
  return ({ kind, detail, address, device }: Activity) => {
    const { browser, system } = describeDevice(device)
    const what = detail.app ?? detail.name ?? detail.label ?? ''
    const text = t.markup(`kinds.${kind}`, { what: () => what })
    return [text, what, detail.reason, browser, system, address, nameOfPlace(placeOf(address), locale, places)]
  }
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('activity'))('title') }
}
