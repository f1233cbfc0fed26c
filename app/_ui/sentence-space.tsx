import { useLocale } from 'next-intl'

/** The space between two sentences, or a sentence and a link; nothing in languages without spaces. */
export function SentenceSpace() {
  return /^(ja|zh)\b/.test(useLocale()) ? null : ' '
}
