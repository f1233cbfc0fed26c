import { useTranslations } from 'next-intl'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { Field } from '#app/_ui/field.tsx'
import { Form } from '#app/_ui/form.tsx'
import { ProblemSummary } from '#app/_ui/problem-summary.tsx'
import type { Flash } from '#lib/http/flash'

/** Asks for the username as confirmation. */
export function DeletionForm({ username, flash }: { username: string; flash: Flash }) {
  const t = useTranslations('deletion')
  const problems = useProblems(flash.problems, username)
  return (
    <Form action="/account/data/delete/submit">
      <ProblemSummary problems={problems} />
      <Field
        label={t('confirm', { username })}
        name="confirm"
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        defaultValue={flash.kept.confirm}
        problem={problems[0]?.text}
      />
      <Actions>
        <Button type="submit" id="account-delete" look="danger" busyText={t('busy')}>
          {t('submit')}
        </Button>
        <ButtonLink href="/account/data" look="quiet">
          {t('cancel')}
        </ButtonLink>
      </Actions>
    </Form>
  )
}

function useProblems(reported: Flash['problems'], username: string) {
  const t = useTranslations('deletion.problems')
  return reported.flatMap(({ field, code }) => {
    const known = codes.find((one) => one === code)
    return known && field ? [{ field, text: t(known, { username }) }] : []
  })
}

const codes = ['confirm_missing', 'confirm_different'] as const
