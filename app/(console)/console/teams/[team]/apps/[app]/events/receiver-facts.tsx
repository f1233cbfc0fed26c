import { useTranslations } from 'next-intl'
import { Card } from '#app/_ui/card.tsx'
import { CodeBlock } from '#app/_ui/code-block.tsx'
import { Day } from '#app/_ui/day.tsx'
import { Tag } from '#app/_ui/tag.tsx'
import type { TeamApp } from '#lib/console/app/store'
import type { Receiver } from '#lib/console/events/store'

/** What the developers of a receiver need; a viewer also reads the address here. */
export function ReceiverFacts({ app, receiver, issuer, mayChange }: ReceiverFactsProps) {
  const t = useTranslations('consoleEvents')
  const { address, createdAt, pausedAt, hasAuthorization } = receiver
  return (
    <Card title={t('facts')}>
      <p>
        {t.rich('since', { time: () => <Day at={createdAt} /> })} {pausedAt && <Tag>{t('paused')}</Tag>}
      </p>
      {pausedAt && <p>{t('pausedWhat')}</p>}
      <p>{t('factsWhat')}</p>
      {!mayChange && (
        <CodeBlock id="receiver-address" label={t('address')}>
          {address}
        </CodeBlock>
      )}
      {!mayChange && hasAuthorization && <p>{t('stored')}</p>}
      <CodeBlock id="receiver-configuration" label={t('configuration')}>
        {`${issuer}/.well-known/ssf-configuration`}
      </CodeBlock>
      <CodeBlock id="receiver-issuer" label="iss">
        {issuer}
      </CodeBlock>
      <CodeBlock id="receiver-audience" label="aud">
        {app.id}
      </CodeBlock>
    </Card>
  )
}

type ReceiverFactsProps = { app: TeamApp; receiver: Receiver; issuer: string; mayChange: boolean }
