import { useTranslations } from 'next-intl'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { Card } from '#app/_ui/card.tsx'
import { teamPage } from '#lib/console/paths'

/** The teams that would lose their only owner, each with a link to its members. */
export function TeamsInNeed({ teams }: { teams: { id: string; name: string }[] }) {
  const t = useTranslations('deletion')
  return (
    <Card
      title={t('teams', { count: teams.length })}
      actions={
        <ButtonLink href="/account/data" look="secondary">
          {t('cancel')}
        </ButtonLink>
      }
    >
      <p>{t('teamsWhy')}</p>
      <ul>
        {teams.map(({ id, name }) => (
          <li key={id}>
            <a href={teamPage(id, 'members')}>
              <bdi translate="no">{name}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </Card>
  )
}
