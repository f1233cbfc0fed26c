import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { readTeamPage, type TeamParams, teamTitle } from '#app/_page/console-page.ts'
import { hasProblems } from '#app/_page/visitor.ts'
import { Card } from '#app/_ui/card.tsx'
import { PageHeading } from '#app/_ui/page-heading.tsx'
import { Tag } from '#app/_ui/tag.tsx'
import { AddDomain } from '#app/(console)/console/_domain/add-domain.tsx'
import { DomainCard } from '#app/(console)/console/_domain/domain-card.tsx'
import { ConsoleResult } from '#app/(console)/console/console-result.tsx'
import { proofRecord } from '#lib/console/domain/team-domain'

const actions = { check: '/console/team/domain/check', remove: '/console/team/domain/remove' }

/** The domains that a team proves by DNS, and what people see of the team. */
export default async function DomainPage({ params }: { params: TeamParams }) {
  const { context, team, may, flashOf } = await readTeamPage(params)
  const [domains, flash, t] = await Promise.all([
    context.teamDomains.list(team.id),
    flashOf('domain'),
    getTranslations('consoleDomain'),
  ])
  const isProven = domains.some(({ verifiedAt }) => verifiedAt)
  const mayChange = may('team.domains')
  const values = { team: team.id }
  return (
    <>
      <PageHeading title={t('title')}>{t('lede')}</PageHeading>
      <ConsoleResult flash={flash} />
      <Card
        title={
          <>
            {t('state')}{' '}
            <Tag good={isProven || team.isTrusted}>{t(isProven || team.isTrusted ? 'isVerified' : 'isUnverified')}</Tag>
          </>
        }
      >
        <p>{t(isProven ? 'verified' : team.isTrusted ? 'trusted' : 'unverified')}</p>
      </Card>
      {domains.map((domain, index) => (
        <DomainCard
          key={domain.domain}
          id={`domain-${index + 1}`}
          domain={{
            ...domain,
            record: proofRecord(domain),
            losesProofAt: domain.verifiedAt && domain.misses > 0 ? domain.nextCheckAt : undefined,
          }}
          values={values}
          actions={mayChange ? actions : undefined}
          removeWhat={t('removeWhat')}
        />
      ))}
      {domains.length === 0 && <p>{t('none')}</p>}
      {mayChange ? (
        <AddDomain action="/console/team/domain/add" values={values} help={t('domainHelp')} flash={flash} />
      ) : (
        <p>{t('readOnly')}</p>
      )}
    </>
  )
}

export async function generateMetadata({ params }: { params: TeamParams }): Promise<Metadata> {
  const [wrong, t, words] = await Promise.all([
    hasProblems('domain'),
    getTranslations('consoleDomain'),
    getTranslations('console'),
  ])
  const title = await teamTitle(params, t('title'))
  return { title: wrong ? words('problemTitle', { title }) : title }
}
