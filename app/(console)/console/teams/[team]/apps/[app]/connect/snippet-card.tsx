import { useTranslations } from 'next-intl'
import { Card } from '#app/_ui/card.tsx'
import { CodeBlock } from '#app/_ui/code-block.tsx'
import { Notice } from '#app/_ui/notice.tsx'
import type { TeamApp } from '#lib/console/app/store'
import { appPage } from '#lib/console/paths'
import type { Snippet, SnippetApp } from '#lib/console/snippets/snippet'

/** The program for one library: what to install, what to save, and how to run it. */
export function SnippetCard({ app, values, snippet }: { app: TeamApp; values: SnippetApp; snippet: Snippet }) {
  const t = useTranslations('consoleConnect')
  const { library, version, install, file, code, run, redirectUri } = snippet
  const isRegistered = values.redirectUris.includes(redirectUri)
  return (
    <Card title={<span translate="no">{library}</span>}>
      <p>{version === undefined ? t('untested') : t('tested', { version })}</p>
      {!isRegistered && (
        <Notice kind="attention" title={t('otherUri')}>
          <p>
            <code translate="no">{redirectUri}</code>
          </p>
          <p>
            <a href={appPage(app.teamId, app.id, 'settings')}>{t('addUri')}</a>
          </p>
        </Notice>
      )}
      {install && (
        <CodeBlock id="snippet-install" label={t('install')}>
          {install}
        </CodeBlock>
      )}
      <CodeBlock id="snippet-code" label={t('save', { file })}>
        {code}
      </CodeBlock>
      {run && (
        <CodeBlock id="snippet-run" label={t('run')}>
          {run}
        </CodeBlock>
      )}
      {values.kind === 'confidential' && <p>{t('secret')}</p>}
      {values.kind === 'assertion' && <p>{t('key')}</p>}
    </Card>
  )
}
