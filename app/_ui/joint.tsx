import { useLocale } from 'next-intl'

/** What stands between two sentences, or a sentence and its link: a space where words have spaces, else nothing. */
export function Joint() {
  return useLocale() === 'en' ? ' ' : null
}
