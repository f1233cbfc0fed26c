import { useTranslations } from 'next-intl'
import { Card } from '#app/_ui/card.tsx'
import { CodeBlock } from '#app/_ui/code-block.tsx'

/** A new API token, which is shown once, and a request that uses it. */
export function ReadyToken({ token, api }: { token: string; api: string }) {
  const t = useTranslations('consoleApi')
  return (
    <Card title={t('ready')}>
      <p>{t('readyWhat')}</p>
      <CodeBlock id="api-token" label={t('token')} wrap>
        {token}
      </CodeBlock>
      <p>{t('exampleWhat')}</p>
      <CodeBlock id="api-example" label={t('example')} wrap>
        {`curl -H "Authorization: Bearer $POSTERN_TOKEN" ${api}/apps`}
      </CodeBlock>
    </Card>
  )
}

/** A new initial access token, which is shown once, and the address at which programs use it. */
export function ReadyRegistrationToken({ token, issuer }: { token: string; issuer: string }) {
  const t = useTranslations('consoleApi')
  return (
    <Card title={t('registrationReady')}>
      <p>{t('readyWhat')}</p>
      <CodeBlock id="registration-token" label={t('token')} wrap>
        {token}
      </CodeBlock>
      <CodeBlock id="registration-endpoint" label={t('endpoint')} wrap>
        {`${issuer}/register`}
      </CodeBlock>
    </Card>
  )
}
