import { useFormatter, useTranslations } from 'next-intl'
import { classes } from '#app/_ui/classes.ts'
import listStyles from '#app/_ui/event-list.module.css'
import { Icon } from '#app/_ui/icon.tsx'
import { TimeAgo } from '#app/_ui/time-ago.tsx'
import { explainFailure } from '#lib/console/failures/explain'
import type { Failure } from '#lib/console/failures/failure'
import { docsPage } from '#lib/console/paths'
import styles from './failures.module.css'
import { UriComparison } from './uri-comparison.tsx'
import { useCause } from './use-cause.ts'

/** One failure: where and when it happened, what was answered, why, and how to fix it. */
export function FailureLine({ failure }: { failure: Failure }) {
  const t = useTranslations('consoleFailures')
  const format = useFormatter()
  const causeOf = useCause()
  const explanation = explainFailure(failure)
  const { endpoint, code, count, isMerged, firstAt, lastAt } = failure
  const since = format.dateTime(firstAt, { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <li className={classes(listStyles.line, listStyles.grave)}>
      <Icon name="attention" />
      <div className={styles.failure}>
        <p className={styles.answer}>
          <code translate="no">{endpoint}</code> <code translate="no">{code}</code>
        </p>
        <p id={`cause-${failure.id}`}>{causeOf(explanation)}</p>
        {explanation.uris && (
          <UriComparison
            uris={explanation.uris}
            ours={explanation.cause === 'redirectDiffers' ? 'asked' : 'registered'}
          />
        )}
        {isMerged && <p className={listStyles.parts}>{t('merged')}</p>}
        <p className={listStyles.where}>
          <span>
            <TimeAgo at={lastAt} />
          </span>
          {count > 1 && <span>{t('count', { count })}</span>}
          {count > 1 && <span>{t('since', { time: since })}</span>}
          <a href={docsPage(explanation.docs)} aria-describedby={`cause-${failure.id}`}>
            {t('docs')}
          </a>
        </p>
      </div>
    </li>
  )
}
