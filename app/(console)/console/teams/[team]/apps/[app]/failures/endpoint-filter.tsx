import { useTranslations } from 'next-intl'
import type { TeamApp } from '#lib/console/app/store'
import { appPage } from '#lib/console/paths'
import { pathWith } from '#lib/http/redirect'
import styles from './failures.module.css'

/** Links that show the failures of one endpoint, or of all. */
export function EndpointFilter({ app, endpoints, chosen }: EndpointFilterProps) {
  const t = useTranslations('consoleFailures')
  const here = appPage(app.teamId, app.id, 'failures')
  return (
    <nav aria-label={t('filter')}>
      <ul className={styles.filter}>
        {[undefined, ...endpoints].map((endpoint) => (
          <li key={endpoint ?? ''}>
            <a href={pathWith(here, { endpoint })} aria-current={endpoint === chosen ? 'true' : undefined}>
              {endpoint === undefined ? t('all') : <code translate="no">{endpoint}</code>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

type EndpointFilterProps = { app: TeamApp; endpoints: string[]; chosen: string | undefined }
