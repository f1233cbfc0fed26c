import { useTranslations } from 'next-intl'
import type { GradedCheck } from '#lib/console/health/assess'
import type { Verdict } from '#lib/console/health/check'
import { addressOf } from '#lib/console/health/rules'
import { appPage, teamPage } from '#lib/console/paths'
import { GradeTag } from './grade-tag.tsx'
import styles from './health.module.css'

/** Each check: what was found, what to change and where, and the sentences of the standards. */
export function HealthChecks({ app, checks }: { app: { id: string; teamId: string }; checks: GradedCheck[] }) {
  const t = useTranslations('consoleHealth')
  return (
    <ul className={styles.checks} aria-label={t('checks')}>
      {checks.map(({ subject, found, values, grade, verdicts, page }) => {
        const key = subject === 'state' || subject === 'nonce' ? 'value' : subject
        const change = `change.${key}.${found}`
        return (
          <li key={subject} className={styles.check}>
            <h2>
              {t(`subjects.${subject}`)} <GradeTag grade={grade} />
            </h2>
            <p>{t(`found.${key}.${found}` as 'found.pkce.always', values)}</p>
            {t.has(change as 'change.pkce.missing') && (
              <p>
                {t(change as 'change.pkce.missing', values)}{' '}
                <a
                  href={
                    page === 'new-app' ? teamPage(app.teamId, page) : appPage(app.teamId, app.id, page ?? 'connect')
                  }
                >
                  {t(`open.${page ?? 'connect'}`)}
                </a>
              </p>
            )}
            <Sentences subject={t(`subjects.${subject}`)} verdicts={verdicts} />
          </li>
        )
      })}
    </ul>
  )
}

/** The sentences of the standards, folded; they are in English, as they are written. */
function Sentences({ subject, verdicts }: { subject: string; verdicts: Verdict[] }) {
  const t = useTranslations('consoleHealth')
  return (
    <details className={styles.sentences}>
      <summary>{t('sentences', { subject })}</summary>
      <ul>
        {verdicts.map(({ grade, rule }) => (
          <li key={rule.standard + rule.section}>
            <a href={addressOf(rule)}>
              {t(`standards.${rule.standard}`)} §{rule.section}
            </a>{' '}
            <GradeTag grade={grade} />
            <q lang="en">{rule.text}</q>
          </li>
        ))}
      </ul>
    </details>
  )
}
