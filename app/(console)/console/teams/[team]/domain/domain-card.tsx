import { useTranslations } from 'next-intl'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import { DomainName } from '#app/_sharing/domain-name.tsx'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { CodeBlock } from '#app/_ui/code-block.tsx'
import { Day } from '#app/_ui/day.tsx'
import { Form } from '#app/_ui/form.tsx'
import { Notice } from '#app/_ui/notice.tsx'
import { SessionToken } from '#app/_ui/session-token.tsx'
import { Tag } from '#app/_ui/tag.tsx'
import { TimeAgo } from '#app/_ui/time-ago.tsx'
import { proofRecord, type TeamDomain } from '#lib/console/domain/team-domain'

/** A domain of a team: its state, its DNS record, and what an owner can do. */
export function DomainCard({ id, domain, mayChange }: { id: string; domain: TeamDomain; mayChange: boolean }) {
  const t = useTranslations('consoleDomain')
  const { verifiedAt, misses, checkedAt, nextCheckAt } = domain
  const isAtRisk = verifiedAt !== undefined && misses > 0
  const values = { team: domain.teamId, domain: domain.domain }
  return (
    <Card
      title={
        <>
          <DomainName domain={domain.domain} />{' '}
          <Tag good={verifiedAt !== undefined && !isAtRisk}>
            {t(isAtRisk ? 'atRisk' : verifiedAt ? 'proven' : 'unproven')}
          </Tag>
        </>
      }
    >
      {isAtRisk && nextCheckAt && (
        <Notice kind="attention" title={t.rich('risk', { time: () => <Day at={nextCheckAt} /> })} />
      )}
      {verifiedAt && !isAtRisk ? (
        <details>
          <summary>{t('show')}</summary>
          <Proof id={id} domain={domain} />
        </details>
      ) : (
        <Proof id={id} domain={domain} />
      )}
      <p>
        {verifiedAt
          ? t.rich('seen', { time: () => <TimeAgo at={verifiedAt} /> })
          : checkedAt
            ? t.rich('checked', { time: () => <TimeAgo at={checkedAt} /> })
            : t('never')}
      </p>
      {mayChange && (
        <>
          <Form action="/console/team/domain/check">
            <HiddenFields values={values} />
            <Actions>
              <Button type="submit" id={`${id}-check`} look="secondary" busyText={t('checking')}>
                {t('check')}
              </Button>
            </Actions>
          </Form>
          <Removal id={id} values={values} />
        </>
      )}
    </Card>
  )
}

function Proof({ id, domain }: { id: string; domain: TeamDomain }) {
  const t = useTranslations('consoleDomain')
  const { name, value } = proofRecord(domain)
  return (
    <>
      <p>{t('publish')}</p>
      <CodeBlock id={`${id}-name`} label={t('recordName')}>
        {name}
      </CodeBlock>
      <CodeBlock id={`${id}-value`} label={t('recordValue')}>
        {value}
      </CodeBlock>
    </>
  )
}

/** A plain form that works without script. The member opens it first, so the removal needs no further confirmation. */
function Removal({ id, values }: { id: string; values: Record<string, string> }) {
  const t = useTranslations('consoleDomain')
  return (
    <details>
      <summary>{t('remove')}</summary>
      <form method="post" action="/console/team/domain/remove">
        <SessionToken />
        <HiddenFields values={values} />
        <p>{t('removeWhat')}</p>
        <Actions>
          <Button type="submit" id={`${id}-remove`} look="danger" busyText={t('removing')}>
            {t('remove')}
          </Button>
        </Actions>
      </form>
    </details>
  )
}
