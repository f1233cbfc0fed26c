import { useTranslations } from 'next-intl'
import { Card } from '#app/_ui/card.tsx'
import { CodeBlock } from '#app/_ui/code-block.tsx'
import { Notice } from '#app/_ui/notice.tsx'
import { TimeAgo } from '#app/_ui/time-ago.tsx'
import { useCause } from '#app/(console)/console/teams/[team]/apps/[app]/failures/use-cause.ts'
import type { TeamApp } from '#lib/console/app/store'
import { explainFailure } from '#lib/console/failures/explain'
import { docsPage } from '#lib/console/paths'
import type { TrialFailure, TrialOutcome } from '#lib/console/trial/trial'
import { type ProfileName, profileOf } from '#lib/oauth/client/profile'
import { NamedValues } from './named-values.tsx'
import { TokenCard } from './token-card.tsx'

/** The steps of a finished trial. */
export function TrialResult({ app, outcome, finishedAt, issuer }: TrialResultProps) {
  const t = useTranslations('consoleTry')
  const { answer, exchange, idToken, accessToken, userinfo, isRevoked, failure } = outcome
  const withdraw = { link: (text: React.ReactNode) => <a href="/account/apps">{text}</a> }
  return (
    <>
      {failure ? (
        <Failure failure={failure} />
      ) : (
        <Notice kind="success" title={t('done')}>
          {t.rich('doneWhat', { time: () => <TimeAgo at={finishedAt} /> })}
        </Notice>
      )}
      <RequestCard app={app} outcome={outcome} issuer={issuer} />
      {answer && (
        <Card title={t('steps.answer')}>
          <p>{t('answerWhat')}</p>
          <NamedValues id="try-answer" values={answer} />
        </Card>
      )}
      {exchange && (
        <Card title={t('steps.exchange')}>
          <p>{t(app.kind === 'public' ? 'exchangeWhatPublic' : 'exchangeWhat')}</p>
          <CodeBlock id="try-token-request" label={t('sent')}>
            {exchange.sent}
          </CodeBlock>
          <CodeBlock id="try-token-answer" label={t('received')}>
            {exchange.received}
          </CodeBlock>
          <p>{t('masked')}</p>
        </Card>
      )}
      {idToken && <TokenCard id="try-id-token" title={t('steps.idToken')} what={t('idTokenWhat')} token={idToken} />}
      {accessToken && (
        <TokenCard
          id="try-access-token"
          title={t('steps.accessToken')}
          what={t('accessTokenWhat')}
          token={accessToken}
        />
      )}
      {userinfo && <UserinfoCard userinfo={userinfo} />}
      {accessToken && new Map(outcome.parameters).has('resource') && (
        <Card title={t('steps.userinfo')}>
          <p>{t('userinfoOther')}</p>
        </Card>
      )}
      {isRevoked && (
        <Card title={t('steps.end')}>
          <p>{t('revoked')}</p>
          <p>{t.rich('withdraw', withdraw)}</p>
        </Card>
      )}
    </>
  )
}

type TrialResultProps = { app: TeamApp; outcome: TrialOutcome; finishedAt: Date; issuer: string }

/** The cause in the words of the failures page. */
function Failure({ failure }: { failure: TrialFailure }) {
  const t = useTranslations('consoleTry')
  const words = useTranslations('consoleFailures')
  const causeOf = useCause()
  const explanation = explainFailure(failure)
  return (
    <Notice kind="danger" title={t('failed', { code: failure.code })}>
      <p id="try-cause">{causeOf(explanation)}</p>
      <p>
        <a href={docsPage(explanation.docs)}>{words('docs')}</a>
      </p>
    </Notice>
  )
}

function RequestCard({ app, outcome, issuer }: Pick<TrialResultProps, 'app' | 'outcome' | 'issuer'>) {
  const t = useTranslations('consoleTry')
  const { declaration } = app
  const mustPush =
    profileOf(app.profile as ProfileName).parRequired || declaration.require_pushed_authorization_requests
  return (
    <Card title={t('steps.request')}>
      <p>{t('requestWhat')}</p>
      {mustPush === true && <p>{t('pushed')}</p>}
      {declaration.require_signed_request_object === true && <p>{t('signed')}</p>}
      <CodeBlock id="try-url" label={t('url')} wrap>
        {`${issuer}/oauth2/authorize?${new URLSearchParams(outcome.parameters)}`}
      </CodeBlock>
      <NamedValues id="try-request" values={outcome.parameters} />
    </Card>
  )
}

function UserinfoCard({ userinfo }: { userinfo: NonNullable<TrialOutcome['userinfo']> }) {
  const t = useTranslations('consoleTry')
  return (
    <Card title={t('steps.userinfo')}>
      <p>{t('userinfoWhat')}</p>
      <CodeBlock id="try-userinfo-request" label={t('userinfoRequest')}>
        {userinfo.sent}
      </CodeBlock>
      <NamedValues id="try-userinfo" values={Object.entries(userinfo.claims)} />
      <p>
        {t(userinfo.isSamePerson ? 'passed' : 'notPassed')} {t('checkNames.sub')}
      </p>
    </Card>
  )
}
