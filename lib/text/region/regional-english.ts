/** Returns the English of the first region that a browser asks for, for dates and numbers; else `en`, which is American. */
export const regionalEnglish = (languages: readonly string[]): string =>
  Intl.getCanonicalLocales(languages.find((tag) => /^en-[a-z]{2}$/i.test(tag)) ?? 'en')[0] ?? 'en'
