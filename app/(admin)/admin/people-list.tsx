import { useTranslations } from 'next-intl'
import { Avatar } from '#app/_ui/avatar.tsx'
import rows from '#app/_ui/row-list.module.css'
import { Tag } from '#app/_ui/tag.tsx'
import { personPage } from '#lib/admin/paths'
import type { ListedPerson } from '#lib/admin/people/store'

/** The people of a search, by username; each row links to the page about the person. */
export function PeopleList({ people }: { people: ListedPerson[] }) {
  const t = useTranslations('admin.people')
  return (
    <ul className={rows.list} aria-label={t('title')}>
      {people.map(({ id, username, disabledAt, deleteAfter }) => (
        <li key={id} className={rows.row}>
          <Avatar name={username} />
          <div className={rows.words}>
            <h2>
              <a href={personPage(id)} translate="no">
                {username}
              </a>
              {disabledAt && <Tag>{t('disabled')}</Tag>}
              {deleteAfter && <Tag>{t('leaving')}</Tag>}
            </h2>
          </div>
        </li>
      ))}
    </ul>
  )
}
