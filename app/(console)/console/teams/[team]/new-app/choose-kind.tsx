import { useTranslations } from 'next-intl'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { Card } from '#app/_ui/card.tsx'
import { appKinds } from '#lib/apps/app-fields'
import { teamPage } from '#lib/console/paths'
import { pathWith } from '#lib/http/redirect'

/** Asks what the app is, and explains what follows from each answer. */
export function ChooseKind({ team }: { team: string }) {
  const t = useTranslations('consoleApps')
  return appKinds.map((kind) => (
    <Card
      key={kind}
      title={t(`kinds.${kind}.title`)}
      actions={
        <ButtonLink href={pathWith(teamPage(team, 'new-app'), { kind })} look="secondary" id={`kind-${kind}`}>
          {t(`kinds.${kind}.choose`)}
        </ButtonLink>
      }
    >
      <p>{t(`kinds.${kind}.what`)}</p>
      <p>{t(`kinds.${kind}.then`)}</p>
    </Card>
  ))
}
