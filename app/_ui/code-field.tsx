import type { ReactNode } from 'react'
import { Field } from './field.tsx'
import { OwnScript } from './own-script.tsx'

/** The field of a code of six digits. With script, the last digit sends the form. */
export const CodeField = ({ label, help, problem, longest = 12, ...rest }: CodeFieldProps) => (
  <>
    <Field
      label={label}
      name="code"
      code
      inputMode={longest > 12 ? undefined : 'numeric'}
      autoComplete="one-time-code"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      maxLength={longest}
      help={help}
      problem={problem}
      data-six-digits=""
      {...rest}
    />
    <OwnScript src="/code.js" />
  </>
)

type CodeFieldProps = {
  label: ReactNode
  help?: ReactNode
  problem?: ReactNode
  /** More characters than six digits with spaces have, where the field takes other codes too. */
  longest?: number
  autoFocus?: boolean
}
