import type { ReactNode } from 'react'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import { Form } from '#app/_ui/form.tsx'
import type { ShownAlias } from './shown-alias.ts'

/** A form about one relay address, bound to the session that its page was rendered for. */
export function AliasForm({ action, shown: { session, alias }, fields = {}, children }: AliasFormProps) {
  return (
    <Form action={`/account/hide-my-email/${action}`}>
      <HiddenFields values={{ session, alias: alias.name, ...fields }} />
      {children}
    </Form>
  )
}

type AliasFormProps = {
  action: 'describe' | 'choice' | 'test' | 'delete'
  shown: ShownAlias
  fields?: Record<string, string>
  children: ReactNode
}
