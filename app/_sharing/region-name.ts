/** A region by its name; a part of a country by the country's name and its code (ISO 3166-2 has no names in browsers). */
export function regionName(code: string, locale: string): string {
  const [country = code] = code.split('-')
  const name = new Intl.DisplayNames(locale, { type: 'region' }).of(country) ?? country
  return country === code ? name : `${name} (${code})`
}
