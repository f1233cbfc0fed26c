/** Returns the name of a region; for a subdivision the country's name and the code (Intl has no names of ISO 3166-2). */
export function regionName(code: string, locale: string): string {
  const [country = code] = code.split('-')
  const name = new Intl.DisplayNames(locale, { type: 'region' }).of(country) ?? country
  return country === code ? name : `${name} (${code})`
}
