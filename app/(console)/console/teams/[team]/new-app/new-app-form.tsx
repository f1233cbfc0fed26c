import { useTranslations } from 'next-intl'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { Card } from '#app/_ui/card.tsx'
import { Field } from '#app/_ui/field.tsx'
import { Fold } from '#app/_ui/fold.tsx'
import { Form } from '#app/_ui/form.tsx'
import { ProblemSummary } from '#app/_ui/problem-summary.tsx'
import { EmailField, ProfileField, RedirectUrisField, ScopesField, Shown } from '#app/(console)/console/app-fields.tsx'
import { problemOf, useAppProblems } from '#app/(console)/console/app-problems.tsx'
import { KeyAddressField, KeyField, MakeKey } from '#app/(console)/console/key-fields.tsx'
import type { AppKind } from '#lib/apps/app-fields'
import { newAppFields } from '#lib/console/app/declare-app'
import { teamPage } from '#lib/console/paths'
import type { Flash } from '#lib/http/flash'

const preset = { scopes: 'name', email: 'optional', profile: 'standard' }

/** Whether the member had chosen something else when the form was sent. */
const hasOtherThanPreset = (kept: Flash['kept']) =>
  Object.entries(preset).some(([field, value]) => (kept[field] ?? value) !== value)

/** Asks for what a new app cannot do without. The rest is preset, and can be changed here or later. */
export function NewAppForm({ team, kind, flash, isFresh, config }: NewAppFormProps) {
  const t = useTranslations('consoleApps')
  const words = useTranslations('console')
  const shown = newAppFields.filter((field) => field !== 'jwks_uri' || kind === 'assertion')
  const problems = useAppProblems(flash.problems, [...shown, 'key'])
  const of = (field: string) => problemOf(problems, field)
  const { kept } = flash
  return (
    <Card title={t(`kinds.${kind}.title`)}>
      <p>{t(`kinds.${kind}.then`)}</p>
      <Form action="/console/app/register">
        <ProblemSummary problems={problems} />
        <input type="hidden" name="team" value={team} />
        <input type="hidden" name="kind" value={kind} />
        <Shown fields={shown} />
        <Field
          label={t('name')}
          help={t('nameHelp')}
          name="name"
          autoComplete="off"
          autoFocus
          defaultValue={kept.name}
          problem={of('name')}
        />
        <RedirectUrisField
          value={kept.redirect_uris}
          problem={of('redirect_uris')}
          isEvaluation={config.evaluation}
          kind={kind}
        />
        {kind === 'assertion' && (
          <>
            <KeyField value={kept.key} problem={of('key')} optional />
            <MakeKey />
            <KeyAddressField value={kept.jwks_uri} problem={of('jwks_uri')} />
          </>
        )}
        <Fold
          title={t('newApp.preset')}
          what={t('newApp.presetWhat')}
          open={hasOtherThanPreset(kept) || ['scopes', 'email', 'profile'].some((field) => of(field))}
        >
          <ScopesField
            chosen={(kept.scopes ?? preset.scopes).split('\n')}
            problem={of('scopes')}
            allowed={[]}
            waiting={[]}
            isReviewed={config.reviewsScopes}
          />
          <EmailField chosen={kept.email ?? preset.email} problem={of('email')} />
          <ProfileField chosen={kept.profile ?? preset.profile} kind={kind} problem={of('profile')} />
        </Fold>
        {!isFresh && <p>{words('fresh')}</p>}
        <Actions>
          <Button type="submit" id="app-register" busyText={t('newApp.busy')}>
            {t('newApp.submit')}
          </Button>
          <ButtonLink href={teamPage(team, 'new-app')} look="quiet">
            {t('newApp.other')}
          </ButtonLink>
        </Actions>
      </Form>
    </Card>
  )
}

type NewAppFormProps = {
  team: string
  kind: AppKind
  flash: Flash
  isFresh: boolean
  config: { evaluation: boolean; reviewsScopes: boolean }
}
