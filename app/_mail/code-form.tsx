import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { CodeField } from '#app/_ui/code-field.tsx'
import { Form } from '#app/_ui/form.tsx'
import { Notice } from '#app/_ui/notice.tsx'
import { type Problem, ProblemSummary } from '#app/_ui/problem-summary.tsx'
import { HiddenFields } from './hidden-fields.tsx'

/** The form for a code of six digits, with a button for a new code. Enter submits the first button. */
export function CodeForm({ verify, resend, hiddenFields, problems, resent, above, children }: CodeFormProps) {
  const t = useTranslations('bindEmail.code')
  return (
    <Form action={verify}>
      <ProblemSummary problems={problems} />
      {resent && (
        <Notice kind="success" live title={t('resent')}>
          {t('resentWhy')}
        </Notice>
      )}
      <HiddenFields values={hiddenFields} />
      {above}
      <CodeField
        label={t('label')}
        // The focus would scroll a phone past the choices, and the last digit sends the form without them.
        autoFocus={!above}
        help={t('help')}
        problem={problems.find(({ field }) => field === 'code')?.text}
      />
      <Actions stacked>
        <Button type="submit" id="code-submit" wide busyText={t('busy')}>
          {t('submit')}
        </Button>
        <Button
          type="submit"
          id="code-resend"
          formAction={resend}
          formNoValidate
          look="secondary"
          wide
          busyText={t('resendBusy')}
        >
          {t('resend')}
        </Button>
        {children}
      </Actions>
    </Form>
  )
}

type CodeFormProps = {
  /** The URLs that verify the code and send a new one. */
  verify: string
  resend: string
  hiddenFields: Record<string, string>
  problems: Problem[]
  resent: boolean
  /** Choices above the code, whose last digit sends the form. */
  above?: ReactNode
  /** A link below the buttons. */
  children?: ReactNode
}
