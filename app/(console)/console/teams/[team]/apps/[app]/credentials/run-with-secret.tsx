import { useTranslations } from 'next-intl'
import { Actions } from '#app/_ui/actions.tsx'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { CodeBlock } from '#app/_ui/code-block.tsx'
import type { TeamApp } from '#lib/console/app/store'
import { appPage } from '#lib/console/paths'
import { shellLiteral } from '#lib/console/snippets/literal'
import { secretPlaceholder } from '#lib/console/snippets/snippet'
import { snippetApp, snippetsFor } from '#lib/console/snippets/snippets'

/** The command that runs the first snippet with a secret that is shown once, and the way to the snippet. */
export function RunWithSecret({ app, site, secret }: RunWithSecretProps) {
  const t = useTranslations('consoleConnect')
  const [snippet] = snippetsFor(snippetApp(app, site))
  if (!snippet?.run) return null
  return (
    <>
      <CodeBlock id="app-run" label={t('withSecret')}>
        {snippet.run.replace(shellLiteral(secretPlaceholder), () => shellLiteral(secret))}
      </CodeBlock>
      <Actions>
        <ButtonLink href={appPage(app.teamId, app.id, 'connect')} id="to-connect">
          {t('next')}
        </ButtonLink>
      </Actions>
    </>
  )
}

type RunWithSecretProps = { app: TeamApp; site: { issuer: string; serviceName: string }; secret: string }
