import { useTranslations } from 'next-intl'
import { BackLink } from '#app/_ui/back-link.tsx'
import { inOneLine } from '#app/_ui/in-one-line.ts'
import { PageHeading } from '#app/_ui/page-heading.tsx'
import { Tag } from '#app/_ui/tag.tsx'
import type { TeamApp } from '#lib/console/app/store'
import { appPage, appSections, teamPage } from '#lib/console/paths'
import styles from './app-head.module.css'

/** The name and state of an app, and the links between its pages. */
export function AppHead({ app, current }: { app: TeamApp; current: (typeof appSections)[number] | undefined }) {
  const t = useTranslations('consoleApps')
  return (
    <>
      <BackLink href={teamPage(app.teamId)}>{t('back')}</BackLink>
      <PageHeading title={<bdi translate="no">{inOneLine(app.name)}</bdi>}>
        {t(`kinds.${app.kind as 'public'}.title`)}{' '}
        {app.disabledAt && <Tag>{t(app.removeAfter ? 'deleting' : 'closed')}</Tag>}
        {app.waitingScopes.length > 0 && <Tag>{t('review.tag')}</Tag>}
      </PageHeading>
      <nav aria-label={t('nav')}>
        <ul className={styles.sections}>
          {[undefined, ...appSections].map((section) => (
            <li key={section ?? 'overview'}>
              <a href={appPage(app.teamId, app.id, section)} aria-current={section === current ? 'page' : undefined}>
                {t(`sections.${section ?? 'overview'}`)}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </>
  )
}
