import { useTranslations } from 'next-intl'
import { DomainName } from '#app/_sharing/domain-name.tsx'
import { Assurance } from '#app/_ui/assurance.tsx'
import { Notice } from '#app/_ui/notice.tsx'
import type { Client } from '#lib/oauth/client/client'

const mostShown = 3

/** Who the app's team is: the domains that it has proven, or that nobody has verified it. */
export function TeamMark({ client: { team, teamName }, service }: { client: Client; service: string }) {
  const t = useTranslations('consent')
  if (!team.isVerified)
    return (
      <Notice kind="attention" title={t('unverifiedTag')}>
        {t('unverified', { service, team: teamName })}
      </Notice>
    )
  return team.domains
    .slice(0, mostShown)
    .map((domain) => (
      <Assurance key={domain}>{t.rich('verified', { domain: () => <DomainName domain={domain} /> })}</Assurance>
    ))
}
