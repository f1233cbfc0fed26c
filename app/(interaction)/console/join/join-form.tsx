import { useTranslations } from 'next-intl'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { Form } from '#app/_ui/form.tsx'
import { Notice } from '#app/_ui/notice.tsx'
import { pictureUrl } from '#app/_ui/picture-url.ts'
import { SignedInAs } from '#app/_ui/signed-in-as.tsx'
import { useConsoleProblems } from '#app/(console)/console/console-problems.ts'
import type { Person } from '#lib/account/signed-in/session'
import type { Flash } from '#lib/http/flash'
import { pathWith } from '#lib/http/redirect'

/** Asks a signed-in person to join, with the way to another account. */
export function JoinForm({ person, issuer, invitation, path, problems }: JoinFormProps) {
  const t = useTranslations('console.join')
  const [problem] = useConsoleProblems(problems)
  return (
    <>
      {problem && <Notice kind="danger" title={problem.text} live />}
      <SignedInAs name={person.name || person.username} src={pictureUrl(issuer, person.avatarFile)}>
        <a href={pathWith('/signin', { to: path, as: 'other' })}>{t('other')}</a>
      </SignedInAs>
      <Form action="/console/join/submit">
        <HiddenFields values={invitation} />
        <Actions stacked>
          <Button type="submit" id="join-submit" wide busyText={t('busy')}>
            {t('submit')}
          </Button>
          <ButtonLink href="/account" look="quiet" wide>
            {t('notNow')}
          </ButtonLink>
        </Actions>
      </Form>
    </>
  )
}

type JoinFormProps = {
  person: Person
  issuer: string
  invitation: { key: string; team: string }
  /** The page itself, to come back to. */
  path: string
  problems: Flash['problems']
}
