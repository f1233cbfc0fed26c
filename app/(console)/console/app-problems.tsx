import { useLocale, useTranslations } from 'next-intl'
import { Fragment, type ReactNode, use } from 'react'
import { pageContext } from '#app/_page/page-context.ts'
import { useConsoleProblems } from '#app/(console)/console/console-problems.ts'
import { pageLanguage, ruleIn } from '#lib/brand/brand-texts'
import type { Flash } from '#lib/http/flash'

type Problem = { field?: string; text: string }
type Shown = { field?: string; text: ReactNode }

/**
 * Returns the problems of an app's form, one for each of its fields: the sentences of the rules, with the line of a list. A
 * rule may be about a field that the form does not show; its sentence names that field.
 */
export function useAppProblems(reported: Flash['problems'], fields: readonly string[]): Shown[] {
  const t = useTranslations('consoleApps')
  const nameOf = useFieldName()
  const { config } = use(pageContext())
  const language = pageLanguage(config, useLocale())
  const others = useConsoleProblems(reported.filter(({ field, text }) => field !== undefined && text === undefined))
  const rules = reported.flatMap(({ field: about = '', text, line }): Problem[] => {
    if (text === undefined) return []
    const rule = ruleIn(config.brand, language, text)
    // The form has one field for keys as JWK and as PEM.
    const field = about === 'jwks' ? 'key' : about
    const sentence = line ? t('ruleOfLine', { line, rule }) : t('ruleOfField', { field: nameOf(field), rule })
    return [{ ...(fields.includes(field) && { field }), text: sentence }]
  })
  const byField = Map.groupBy([...rules, ...others], ({ field }) => field)
  return [...byField].map(([field, problems]) => ({
    ...(field !== undefined && { field }),
    text: linesOf(problems.map(({ text }) => text)),
  }))
}

/** Returns a function that names a field in words; a field that no page shows keeps its name in the protocol. */
function useFieldName() {
  const t = useTranslations()
  return (field: string): string => {
    if (field === 'key') return t('consoleApps.key')
    const known = `console.activity.fields.${field}` as 'console.activity.fields.name'
    return t.has(known) ? t(known) : field
  }
}

/** Returns the problem of a field. */
export const problemOf = (problems: Shown[], name: string): ReactNode =>
  problems.find(({ field }) => field === name)?.text

const linesOf = (texts: string[]): ReactNode =>
  texts.map((text, index) => (
    <Fragment key={text}>
      {index > 0 && <br />}
      {text}
    </Fragment>
  ))
