import { useTranslations } from 'next-intl'
import { Table } from '#app/_ui/table.tsx'
import type { TeamApp } from '#lib/console/team/store'

/** The apps of a team: name, client_id, kind and state. */
export function TeamApps({ apps }: { apps: TeamApp[] }) {
  const t = useTranslations('console.overview')
  return (
    <Table label={t('apps')} head={[t('name'), 'client_id', t('kind'), t('state')]}>
      {apps.map(({ id, name, kind, isDisabled }) => (
        <tr key={id}>
          <th scope="row">
            <bdi translate="no">{name}</bdi>
          </th>
          <td>
            <code translate="no">{id}</code>
          </td>
          <td>{t(`kinds.${kind}`)}</td>
          <td>{t(isDisabled ? 'disabled' : 'active')}</td>
        </tr>
      ))}
    </Table>
  )
}
