import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { type AppParams, appTitle, readTeamApp } from '#app/_page/console-app-page.ts'
import { hasProblems } from '#app/_page/visitor.ts'
import { AddDomain } from '#app/(console)/console/_domain/add-domain.tsx'
import { DomainCard } from '#app/(console)/console/_domain/domain-card.tsx'
import { ConsoleResult } from '#app/(console)/console/console-result.tsx'
import { AppHead } from '#app/(console)/console/teams/[team]/apps/[app]/app-head.tsx'
import { mailDays, sumMail } from '#lib/console/mail/mail-days'
import { MailReport } from './mail-report.tsx'

const actions = { check: '/console/app/mail/check', remove: '/console/app/mail/remove' }

/** The domains that an app sends mail from, what was delivered, and why messages were refused. */
export default async function MailPage({ params }: { params: AppParams }) {
  const { context, app, may, flashOf } = await readTeamApp(params)
  const since = new Date(context.now().getTime() - mailDays * 86_400_000)
  const [domains, refusals, days, flash, t] = await Promise.all([
    context.appMail.listDomains(app.id),
    context.appMail.listRefusals(app.id),
    context.appUsage.read(app.id, since),
    flashOf('mail'),
    getTranslations('consoleMail'),
  ])
  const mayChange = may('app.mail')
  const values = { team: app.teamId, app: app.id }
  const isLimited = domains.some(({ verifiedAt }) => verifiedAt)
  return (
    <>
      <AppHead app={app} current="mail" />
      <ConsoleResult flash={flash} />
      <p>{t(isLimited ? 'limited' : 'open')}</p>
      {domains.map((domain, index) => (
        <DomainCard
          key={domain.domain}
          id={`domain-${index + 1}`}
          domain={domain}
          values={values}
          actions={mayChange ? actions : undefined}
          removeWhat={t('removeWhat')}
        />
      ))}
      {mayChange ? (
        <AddDomain action="/console/app/mail/add" values={values} help={t('domainHelp')} flash={flash} />
      ) : (
        <p>{t('readOnly')}</p>
      )}
      <MailReport numbers={sumMail(days)} refusals={refusals} />
    </>
  )
}

export async function generateMetadata({ params }: { params: AppParams }): Promise<Metadata> {
  const [wrong, t, words] = await Promise.all([
    hasProblems('mail'),
    getTranslations('consoleApps.sections'),
    getTranslations('console'),
  ])
  const title = await appTitle(params, t('mail'))
  return { title: wrong ? words('problemTitle', { title }) : title }
}
