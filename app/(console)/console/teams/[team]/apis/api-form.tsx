import { useTranslations } from 'next-intl'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { Form } from '#app/_ui/form.tsx'
import { ProblemSummary } from '#app/_ui/problem-summary.tsx'
import { ApiFields } from '#app/(console)/console/api-fields.tsx'
import { useAppProblems } from '#app/(console)/console/app-problems.tsx'
import type { TeamApi } from '#lib/console/team-apis/store'
import type { Flash } from '#lib/http/flash'

/** The fields of an API; a viewer sees the same form, which cannot be sent. */
export function ApiForm({ team, api, flash, mayChange, isReviewed }: ApiFormProps) {
  const t = useTranslations('consoleApis')
  const problems = useAppProblems(
    flash.problems.filter(({ field }) => field !== 'confirm'),
    ['name', 'scopes', 'sensitive_scopes', 'signing_alg'],
  )
  const stored = {
    name: api.name,
    scopes: [...api.scopes, ...api.waitingScopes].join('\n'),
    sensitive_scopes: api.sensitiveScopes.join('\n'),
    signing_alg: api.signingAlg,
  }
  const isTyped = problems.length > 0 || flash.problems.some(({ code }) => code === 'api_stale')
  return (
    <Card>
      <Form action="/console/team-api/change">
        <ProblemSummary problems={problems} />
        <HiddenFields values={{ team, identifier: api.identifier, version: api.version }} />
        <ApiFields
          values={isTyped ? { ...stored, ...flash.kept } : stored}
          problems={problems}
          isReviewed={isReviewed}
        />
        {mayChange ? (
          <Actions>
            <Button type="submit" id="api-change" busyText={t('saving')}>
              {t('save')}
            </Button>
          </Actions>
        ) : (
          <p>{t('readOnly')}</p>
        )}
      </Form>
    </Card>
  )
}

type ApiFormProps = { team: string; api: TeamApi; flash: Flash; mayChange: boolean; isReviewed: boolean }
