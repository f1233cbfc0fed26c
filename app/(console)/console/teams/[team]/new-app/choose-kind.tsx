import { useTranslations } from 'next-intl'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { Card } from '#app/_ui/card.tsx'
import { appKinds } from '#lib/apps/app-fields'
import { teamPage } from '#lib/console/paths'
import { pathWith } from '#lib/http/redirect'

/** Asks what the app is. The form explains what follows. */
export function ChooseKind({ team }: { team: string }) {
  const t = useTranslations('consoleApps')
  const api = useTranslations('consoleApis.kind')
  const apps = appKinds.map((kind) => ({
    kind,
    title: t(`kinds.${kind}.title`),
    what: t(`kinds.${kind}.what`),
  }))
  const kinds = [...apps, { kind: 'api', title: api('title'), what: api('what') }]
  return kinds.map(({ kind, title, what }) => (
    <Card
      key={kind}
      title={title}
      actions={
        <ButtonLink
          href={pathWith(teamPage(team, 'new-app'), { kind })}
          look="secondary"
          id={`kind-${kind}`}
          aria-label={t('newApp.chooseKind', { kind: title })}
        >
          {t('newApp.choose')}
        </ButtonLink>
      }
    >
      <p>{what}</p>
    </Card>
  ))
}
