import { useTranslations } from 'next-intl'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import { Actions } from '#app/_ui/actions.tsx'
import { Avatar } from '#app/_ui/avatar.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { Field } from '#app/_ui/field.tsx'
import { Form } from '#app/_ui/form.tsx'
import { pictureUrl } from '#app/_ui/picture-url.ts'
import { useConsoleProblems } from '#app/(console)/console/console-problems.ts'
import type { TeamApp } from '#lib/console/app/store'
import type { Flash } from '#lib/http/flash'
import { pathWith } from '#lib/http/redirect'

/** The logo of an app: uploads it, or removes it. */
export function LogoForm({ app, flash, issuer, isVerified }: LogoFormProps) {
  const t = useTranslations('consoleNames.logo')
  const [problem] = useConsoleProblems(flash.problems.filter(({ field }) => field === 'picture'))
  const ids = { team: app.teamId, app: app.id }
  return (
    <Card title={t('title')}>
      <Avatar kind="app" size="l" name={app.name} src={pictureUrl(issuer, app.logoFile ?? undefined)} />
      <p>{t(isVerified ? 'what' : 'hidden')}</p>
      <Form action={pathWith('/console/app/logo/change', ids)} encType="multipart/form-data">
        <Field
          label={t('file')}
          help={t('help')}
          name="picture"
          type="file"
          accept="image/png,image/jpeg,image/webp,image/gif,image/avif"
          problem={problem?.text}
        />
        <Actions>
          <Button type="submit" id="logo-change" look="secondary" busyText={t('busy')}>
            {t('save')}
          </Button>
        </Actions>
      </Form>
      {app.logoFile && (
        <Form action="/console/app/logo/remove">
          <HiddenFields values={ids} />
          <Actions>
            <Button type="submit" id="logo-remove" look="secondary" busyText={t('removing')}>
              {t('remove')}
            </Button>
          </Actions>
        </Form>
      )}
    </Card>
  )
}

type LogoFormProps = { app: TeamApp; flash: Flash; issuer: string; isVerified: boolean }
