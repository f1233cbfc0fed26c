import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { readAdminPage } from '#app/_page/admin-page.ts'
import { Card } from '#app/_ui/card.tsx'
import { Day } from '#app/_ui/day.tsx'
import { PageHeading } from '#app/_ui/page-heading.tsx'
import { Table } from '#app/_ui/table.tsx'
import { Facts } from '#app/(admin)/admin/facts.tsx'
import { Moment } from '#app/(admin)/admin/moment.tsx'

/** The service itself: signing keys, background jobs, mail, and the settings in force. */
export default async function SystemPage() {
  const { context } = await readAdminPage()
  const [{ keys, jobs, mail, settings }, t] = await Promise.all([context.readSystem(), getTranslations('admin.system')])
  return (
    <>
      <PageHeading title={t('title')}>{t('lede')}</PageHeading>
      <h2>{t('keys')}</h2>
      <Table label={t('keys')} head={[t('key'), t('algorithm'), t('state'), t('from')]}>
        {keys.map(({ kid, algorithm, state, currentFrom }) => (
          <tr key={kid}>
            <th scope="row">
              <code>{kid}</code>
            </th>
            <td>{algorithm}</td>
            <td>{t(`states.${state}`)}</td>
            <td>
              <Day at={currentFrom} />
            </td>
          </tr>
        ))}
      </Table>
      <h2>{t('jobs')}</h2>
      {jobs.length === 0 && <p>{t('noJobs')}</p>}
      {jobs.length > 0 && (
        <Table label={t('jobs')} head={[t('job'), t('holder'), t('until')]}>
          {jobs.map(({ name, holder, expiresAt }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                <code>{holder.slice(0, 8)}</code>
              </td>
              <td>
                <Moment at={expiresAt} />
              </td>
            </tr>
          ))}
        </Table>
      )}
      <Card title={t('mail')}>
        <Facts
          facts={[
            [t('bounces'), String(mail.bounces)],
            [t('onHold'), String(mail.onHold)],
          ]}
        />
      </Card>
      <h2>{t('settings')}</h2>
      <Table label={t('settings')} head={[t('setting'), t('value')]}>
        {settings.map(({ name, value, isDefault }) => (
          <tr key={name}>
            <th scope="row">
              <code>{name}</code>
            </th>
            <td translate="no">{isDefault ? `${value} (${t('default')})`.trim() : value}</td>
          </tr>
        ))}
      </Table>
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('admin.system'))('title') }
}
