import { useTranslations } from 'next-intl'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { Card } from '#app/_ui/card.tsx'
import { appKinds } from '#lib/apps/app-fields'
import { teamPage } from '#lib/console/paths'
import { pathWith } from '#lib/http/redirect'

/** Asks what the app is, and explains what follows from each answer. */
export function ChooseKind({ team }: { team: string }) {
  const t = useTranslations('consoleApps')
  const api = useTranslations('consoleApis.kind')
  const apps = appKinds.map((kind) => ({
    kind,
    title: t(`kinds.${kind}.title`),
    what: t(`kinds.${kind}.what`),
    consequence: t(`kinds.${kind}.then`),
    choose: t(`kinds.${kind}.choose`),
  }))
  const kinds = [
    ...apps,
    { kind: 'api', title: api('title'), what: api('what'), consequence: api('then'), choose: api('choose') },
  ]
  return kinds.map(({ kind, title, what, consequence, choose }) => (
    <Card
      key={kind}
      title={title}
      actions={
        <ButtonLink href={pathWith(teamPage(team, 'new-app'), { kind })} look="secondary" id={`kind-${kind}`}>
          {choose}
        </ButtonLink>
      }
    >
      <p>{what}</p>
      <p>{consequence}</p>
    </Card>
  ))
}
