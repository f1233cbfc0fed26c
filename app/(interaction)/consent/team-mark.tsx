import { useTranslations } from 'next-intl'
import { DomainName } from '#app/_sharing/domain-name.tsx'
import { Assurance } from '#app/_ui/assurance.tsx'
import { Notice } from '#app/_ui/notice.tsx'
import type { Client } from '#lib/oauth/client/client'

const mostShown = 3

/** Shows the domains that the app's team has proven, else whether the operator has approved the team. */
export function TeamMark({ client: { team, teamName }, service }: { client: Client; service: string }) {
  const t = useTranslations('consent')
  if (!team.isVerified)
    return (
      <Notice kind="attention" title={t('unverifiedTag')}>
        {t('unverified', { service, team: teamName })}
      </Notice>
    )
  if (team.domains.length === 0) return <Assurance>{t('approved', { service })}</Assurance>
  return team.domains
    .slice(0, mostShown)
    .map((domain) => (
      <Assurance key={domain}>{t.rich('verified', { domain: () => <DomainName domain={domain} /> })}</Assurance>
    ))
}
