import { pathWith } from '#lib/http/redirect'
import type { Activity, ActivityKind, ActivityStore } from './activity.ts'
import { type KindGroup, kindGroups } from './kind-groups.ts'

/** The events that the activity page shows (issue "A product people enjoy", item 16); empty texts select nothing. */
export type ActivityQuery = { about: KindGroup | undefined; app: string; search: string }

/** The greatest length of a search. */
export const searchLimit = 100

/** Reads the filter of a query; an unknown group is none, a repeated parameter counts once, and a long one is cut. */
export function readActivityQuery(query: Record<string, string | string[] | undefined>): ActivityQuery {
  const read = (name: string) => ([query[name]].flat()[0] ?? '').toWellFormed().trim().slice(0, searchLimit)
  const about = read('about')
  return { about: kindGroups.find((group) => group === about), app: read('app'), search: read('q') }
}

/** Returns the address of the page for a query, which the links to other pages keep. */
export const activityPath = ({ about, app, search }: ActivityQuery, before?: Date): string =>
  pathWith('/account/activity', {
    about,
    app: app || undefined,
    q: search || undefined,
    before: before?.toISOString(),
  })

/** Returns a test for the app and the search of a query; `wordsOf` returns the texts that the page shows for an event. */
export function matchActivity(
  { app, search }: Pick<ActivityQuery, 'app' | 'search'>,
  wordsOf: (activity: Activity) => (string | undefined)[],
): (activity: Activity) => boolean {
  const wanted = fold(search)
  return (activity) =>
    (!app || activity.detail.app === app) &&
    (!wanted || wordsOf(activity).some((text) => text !== undefined && fold(text).includes(wanted)))
}

const fold = (text: string) => text.normalize('NFKC').toLowerCase()

const batchLength = 200
/** One page reads at most this many events, so that a rare word costs no more than a page. */
const mostRead = 2000

/**
 * Returns the latest events that match, about `most` of them, and the time before which to look further; undefined at the
 * end. Events of the same time stay together, because the next page starts with earlier times.
 */
export async function findActivities(
  store: Pick<ActivityStore, 'list'>,
  personId: string,
  { before, kinds, most, matches }: Page,
): Promise<{ found: Activity[]; older: Date | undefined }> {
  const found: Activity[] = []
  let from = before
  for (let read = 0; read < mostRead; ) {
    const batch = await store.list(personId, from, batchLength, kinds)
    const last = batch.at(-1)
    if (!last) return { found, older: undefined }
    read += batch.length
    from = last.at
    found.push(...batch.filter(matches))
    const end = found[most - 1]
    const page = end && found.filter(({ at }) => at >= end.at)
    if (end && page && page.length < found.length) return { found: page, older: end.at }
  }
  return { found, older: from }
}

type Page = {
  before: Date | undefined
  kinds: ActivityKind[] | undefined
  most: number
  matches: (activity: Activity) => boolean
}
