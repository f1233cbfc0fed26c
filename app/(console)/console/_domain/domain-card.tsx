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

/** A domain of a team or of an app: its state, its DNS record, and the forms that check and remove it. */
export function DomainCard({ id, domain, values, actions, removeWhat }: DomainCardProps) {
  const t = useTranslations('consoleDomain')
  const { verifiedAt, checkedAt, losesProofAt } = domain
  const isGood = verifiedAt !== undefined && losesProofAt === undefined
  return (
    <Card
      title={
        <>
          <DomainName domain={domain.domain} />{' '}
          <Tag good={isGood}>{t(losesProofAt ? 'atRisk' : verifiedAt ? 'proven' : 'unproven')}</Tag>
        </>
      }
    >
      {losesProofAt && (
        <Notice kind="attention" title={t('atRisk')}>
          {t.rich('risk', { time: () => <Day at={losesProofAt} /> })}
        </Notice>
      )}
      {isGood ? (
        <details>
          <summary>{t('show')}</summary>
          <Proof id={id} record={domain.record} />
        </details>
      ) : (
        <Proof id={id} record={domain.record} />
      )}
      <p>
        {verifiedAt
          ? t.rich('seen', { time: () => <TimeAgo at={verifiedAt} /> })
          : checkedAt
            ? t.rich('checked', { time: () => <TimeAgo at={checkedAt} /> })
            : t('never')}
      </p>
      {actions && (
        <DomainForms id={id} values={{ ...values, domain: domain.domain }} actions={actions} what={removeWhat} />
      )}
    </Card>
  )
}

function Proof({ id, record }: { id: string; record: DomainShown['record'] }) {
  const t = useTranslations('consoleDomain')
  return (
    <>
      <p>{t('publish')}</p>
      <CodeBlock id={`${id}-name`} label={t('recordName')}>
        {record.name}
      </CodeBlock>
      <CodeBlock id={`${id}-value`} label={t('recordValue')}>
        {record.value}
      </CodeBlock>
    </>
  )
}

/** Plain forms that work without script. The member opens the removal first, so it needs no further confirmation. */
function DomainForms({ id, values, actions, what }: DomainFormsProps) {
  const t = useTranslations('consoleDomain')
  return (
    <>
      <Form action={actions.check}>
        <HiddenFields values={values} />
        <Actions>
          <Button type="submit" id={`${id}-check`} look="secondary" busyText={t('checking')}>
            {t('check')}
          </Button>
        </Actions>
      </Form>
      <details>
        <summary>{t('remove')}</summary>
        <form method="post" action={actions.remove}>
          <SessionToken />
          <HiddenFields values={values} />
          <p>{what}</p>
          <Actions>
            <Button type="submit" id={`${id}-remove`} look="danger" busyText={t('removing')}>
              {t('remove')}
            </Button>
          </Actions>
        </form>
      </details>
    </>
  )
}

type DomainActions = { check: string; remove: string }

type DomainShown = {
  domain: string
  record: { name: string; value: string }
  checkedAt: Date | undefined
  verifiedAt: Date | undefined
  /** When a proven domain whose record is missing loses its proof. */
  losesProofAt: Date | undefined
}

type DomainCardProps = {
  id: string
  domain: DomainShown
  values: Record<string, string>
  /** Absent for a member who may not change domains. */
  actions: DomainActions | undefined
  removeWhat: string
}

type DomainFormsProps = { id: string; values: Record<string, string>; actions: DomainActions; what: string }
