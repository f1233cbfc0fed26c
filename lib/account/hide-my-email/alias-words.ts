import { characters, longText, plainText } from '#lib/text/text-rules'

/** The greatest lengths of a person's own words for a relay address, in Unicode code points. */
export const aliasWordLimits = { label: 60, note: 500 }

const rules = { label: plainText(0, aliasWordLimits.label), note: longText(aliasWordLimits.note) }
type Field = keyof typeof rules
type Problem = { field: Field; code: `${Field}_${'long' | 'characters'}` | 'label_empty' }

/** Reads label and note from a form, and returns the problems of each field. An address made by hand needs a label. */
export function readAliasWords(label: string, note: string, needsLabel = false) {
  const words = { label: tidy(label), note: tidy(note) }
  const problems = (['label', 'note'] as const).flatMap((field): Problem[] => {
    if (needsLabel && field === 'label' && words.label === '') return [{ field, code: 'label_empty' }]
    if (rules[field].safeParse(words[field]).success) return []
    const isLong = characters(words[field]) > aliasWordLimits[field]
    return [{ field, code: `${field}_${isLong ? 'long' : 'characters'}` }]
  })
  return { words, problems }
}

/** Browsers send line breaks in forms as CR LF. */
const tidy = (value: string) => value.replace(/\r\n?/g, '\n').trim()
