import { useFormatter, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Card } from '#app/_ui/card.tsx'
import { Facts } from '#app/(admin)/admin/facts.tsx'
import { Moment } from '#app/(admin)/admin/moment.tsx'
import type { JobState } from '#lib/admin/system'

/** The background jobs with their last runs, as `cli jobs` shows them. */
export function Jobs({ jobs }: { jobs: JobState[] }) {
  const t = useTranslations('admin.system')
  return (
    <Card title={t('jobs')}>
      <Facts facts={jobs.map((job) => [job.name, <Job key={job.name} job={job} />])} />
    </Card>
  )
}

function Job({ job }: { job: JobState }) {
  const t = useTranslations('admin.system')
  const format = useFormatter()
  const { period, state, startedAt, rows, backlog, holder, error } = job
  const every = period < 3600 ? { unit: 'second', value: period } : { unit: 'hour', value: period / 3600 }
  const parts: ReactNode[] = [
    startedAt
      ? t.rich(`jobStates.${state}`, { time: (() => <Moment key="at" at={startedAt} />) as () => ReactNode })
      : t('jobStates.never'),
    t('every', { period: format.number(every.value, { style: 'unit', unit: every.unit, unitDisplay: 'long' }) }),
    startedAt && t('rows', { rows }),
    backlog && t('backlog', { rows: backlog.rows }),
    holder && t.rich('process', { code: (() => <code>{holder}</code>) as () => ReactNode }),
  ]
  return (
    <>
      {parts.filter(Boolean).flatMap((part, index) => (index === 0 ? [part] : [' · ', part]))}
      {error && (
        <>
          <br />
          <span translate="no">{error}</span>
        </>
      )}
    </>
  )
}
