import { useTranslations } from 'next-intl'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { Field } from '#app/_ui/field.tsx'
import { Form } from '#app/_ui/form.tsx'
import { ProblemSummary } from '#app/_ui/problem-summary.tsx'
import { useDuration } from '#app/_ui/use-duration.ts'
import type { Flash } from '#lib/http/flash'
import { pathWith } from '#lib/http/redirect'

/** Asks for username and recovery code; the answer does not reveal which of the two was wrong. */
export function RecoverByCode({ hiddenFields, login, reported }: RecoverByCodeProps) {
  const t = useTranslations('recoverCode')
  const duration = useDuration()
  const problems = reported.flatMap(({ field, code, wait }) => {
    const known = codes.find((one) => one === code)
    return known ? [{ ...(field && { field }), text: t(`problems.${known}`, { time: duration(wait) }) }] : []
  })
  const of = (field: string) => problems.find((problem) => problem.field === field)?.text
  const typing = { autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false }
  return (
    <Form action="/recover/by-code/submit">
      <ProblemSummary problems={problems} />
      <HiddenFields values={hiddenFields} />
      <Field
        {...typing}
        label={t('login')}
        name="login"
        autoFocus
        autoComplete="username"
        defaultValue={login}
        problem={of('login')}
      />
      <Field
        {...typing}
        label={t('code')}
        name="code"
        autoComplete="off"
        code
        maxLength={40}
        help={t('codeHelp')}
        problem={of('code')}
      />
      <Actions stacked>
        <Button type="submit" id="recover-by-code-submit" wide busyText={t('busy')}>
          {t('submit')}
        </Button>
        <ButtonLink href={pathWith('/recover', hiddenFields)} look="secondary" wide>
          {t('byMail')}
        </ButtonLink>
        <ButtonLink href={pathWith('/signin', hiddenFields)} look="quiet" wide>
          {t('cancel')}
        </ButtonLink>
      </Actions>
    </Form>
  )
}

const codes = ['login_missing', 'code_missing', 'code_wrong', 'wait'] as const

type RecoverByCodeProps = { hiddenFields: Record<string, string>; login: string; reported: Flash['problems'] }
