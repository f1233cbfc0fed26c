import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { readAdminPage } from '#app/_page/admin-page.ts'
import { Card } from '#app/_ui/card.tsx'
import { Day } from '#app/_ui/day.tsx'
import { PageHeading } from '#app/_ui/page-heading.tsx'
import { Facts } from '#app/(admin)/admin/facts.tsx'
import { Jobs } from './jobs.tsx'
import { NodeFacts } from './node-facts.tsx'

/** The service itself: signing keys, processes, background jobs, mail, and the settings in force. */
export default async function SystemPage() {
  const { context } = await readAdminPage()
  const [{ keys, nodes, jobs, mail, settings }, t] = await Promise.all([
    context.readSystem(),
    getTranslations('admin.system'),
  ])
  return (
    <>
      <PageHeading title={t('title')}>{t('lede')}</PageHeading>
      <Card title={t('keys')}>
        <Facts
          facts={keys.map(({ kid, algorithm, state, currentFrom }) => [
            kid,
            <span key={kid}>
              {`${algorithm} · ${t(`states.${state}`)} · `}
              {t.rich('signs', { time: (() => <Day at={currentFrom} />) as () => ReactNode })}
            </span>,
          ])}
        />
      </Card>
      <Card title={t('nodes')}>
        <NodeFacts nodes={nodes} />
      </Card>
      <Jobs jobs={jobs} />
      <Card title={t('mail')}>
        <Facts
          facts={[
            [t('bounces'), String(mail.bounces)],
            [t('onHold'), String(mail.onHold)],
          ]}
        />
      </Card>
      <Card title={t('settings')}>
        <Facts
          facts={settings.map(({ name, value, isDefault }) => [
            name,
            <span key={name} translate="no">
              {value === '' ? t('notSet') : isDefault ? t('isDefault', { value }) : value}
            </span>,
          ])}
        />
      </Card>
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('admin.system'))('title') }
}
