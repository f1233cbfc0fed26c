import { useTranslations } from 'next-intl'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import { isWorded } from '#app/_sharing/worded-scopes.ts'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { CheckboxList } from '#app/_ui/checkbox-list.tsx'
import { Field } from '#app/_ui/field.tsx'
import { Form } from '#app/_ui/form.tsx'
import { TimeAgo } from '#app/_ui/time-ago.tsx'
import { Facts } from '#app/(admin)/admin/facts.tsx'
import { longestReason } from '#lib/admin/admin-form'
import { appOfOperators, teamOfOperators } from '#lib/admin/paths'
import type { WaitingScopes } from '#lib/admin/scopes/store'
import type { Flash } from '#lib/http/flash'

/** The waiting scopes of one app or API, with the form that approves or refuses them. */
export function DecideScopes({ waiting, flash }: { waiting: WaitingScopes; flash: Flash }) {
  const { of, id, name, version, scopes } = waiting
  const t = useTranslations('admin')
  const words = useTranslations('scopes')
  /** Returns the words that people read on the consent page, above the name; a scope of an API has its name alone. */
  const wordsOf = (scope: string) => {
    const code = <code translate="no">{scope}</code>
    return of === 'app' && isWorded(scope) ? { label: words(scope), help: code } : { label: code }
  }
  const isKept = flash.kept.id === id
  const missing = isKept && flash.problems.some(({ field }) => field === 'reason')
  const key = `scopes-${id.replace(/[^\w-]/g, '-')}`
  return (
    <Card title={<bdi translate="no">{name}</bdi>}>
      <Facts facts={factsOf(waiting, t)} />
      <Form action="/admin/scopes/decide">
        <HiddenFields values={{ of, id, version }} />
        <CheckboxList
          id={key}
          legend={t('scopes.choose')}
          items={scopes.map((scope) => ({ name: 'scope', value: scope, ...wordsOf(scope), checked: true }))}
        />
        <Field
          id={`${key}-reason`}
          name="reason"
          label={t('reason')}
          help={t('scopes.reasonHelp')}
          problem={missing ? t('problems.reason_missing') : undefined}
          defaultValue={isKept ? flash.kept.reason : ''}
          maxLength={longestReason}
          autoComplete="off"
        />
        <Actions>
          {/* Enter in the field of the reason sends the first button: it never approves by mistake. */}
          <Button type="submit" name="decision" value="refuse" look="danger" busyText={t('busy')}>
            {t('scopes.refuse')}
          </Button>
          <Button type="submit" name="decision" value="approve" busyText={t('busy')}>
            {t('scopes.approve')}
          </Button>
        </Actions>
      </Form>
    </Card>
  )
}

/** Returns what identifies the app or API, and since when it waits. */
function factsOf({ of, id, team, since }: WaitingScopes, t: ReturnType<typeof useTranslations<'admin'>>) {
  const shownId = <code translate="no">{id}</code>
  return [
    [
      t(`scopes.${of}`),
      of === 'app' ? (
        <a key="app" href={appOfOperators(id)}>
          {shownId}
        </a>
      ) : (
        shownId
      ),
    ],
    [
      t('app.team'),
      <a key="team" href={teamOfOperators(team.id)}>
        <bdi translate="no">{team.name}</bdi>
      </a>,
    ],
    [t('scopes.since'), <TimeAgo key="since" at={since} />],
  ] as const
}
