import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { readAdminPage } from '#app/_page/admin-page.ts'
import { oneOf, type Search } from '#app/_page/interaction-page.ts'
import { EmptyState } from '#app/_ui/empty-state.tsx'
import { EventPages } from '#app/_ui/event-pages.tsx'
import { PageHeading } from '#app/_ui/page-heading.tsx'
import { adminHome } from '#lib/admin/paths'
import { searchPeople } from '#lib/admin/people/search-people'
import { pathWith } from '#lib/http/redirect'
import { PeopleList } from './people-list.tsx'
import { SearchForm } from './search-form.tsx'

/** The search for people. */
export default async function PeoplePage({ searchParams }: { searchParams: Search }) {
  const { context, person } = await readAdminPage()
  const { q, after: last } = await searchParams
  const [typed, after] = [oneOf(q), oneOf(last)]
  const [{ people, next }, t] = await Promise.all([
    searchPeople(context, typed, after, person.username),
    getTranslations('admin.people'),
  ])
  return (
    <>
      <PageHeading title={t('title')}>{t('lede')}</PageHeading>
      <SearchForm action={adminHome} label={t('search')} help={t('searchHelp')} typed={typed} />
      {people.length > 0 ? <PeopleList people={people} /> : <EmptyState icon="person" title={t('none')} />}
      <EventPages
        label={t('pages')}
        more={t('more')}
        {...(next !== undefined && { older: pathWith(adminHome, { q: typed || undefined, after: next }) })}
      />
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('admin.people'))('title') }
}
