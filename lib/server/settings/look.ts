import type { z } from 'zod'
import { BrandFault } from '#lib/brand/brand-fault'
import { languagesOf } from '#lib/brand/brand-texts'
import { type Brand, noBrand, readBrand } from '#lib/brand/read-brand'
import { isLocale, type Locale } from '#lib/text/messages'
import type { settings } from './settings.ts'

type Raw = z.infer<typeof settings>

/** Reads the settings about what people see, and BRAND_DIR; adds what is wrong to `problems`. */
export function readLook(raw: Raw, problems: string[]) {
  const brand = readFolder(raw.BRAND_DIR, problems)
  if (!brand) return undefined
  const known = languagesOf(brand)
  const languages = raw.LANGUAGES.length > 0 ? raw.LANGUAGES : known
  const unknown = languages.filter((tag) => !known.includes(tag)).join(', ')
  if (unknown) problems.push(`LANGUAGES names ${unknown}, which has no texts. There are ${known.join(', ')}.`)
  const defaultLanguage = raw.DEFAULT_LANGUAGE ?? (languages.includes('en') ? 'en' : (languages[0] ?? 'en'))
  if (!languages.includes(defaultLanguage))
    problems.push(`DEFAULT_LANGUAGE is ${defaultLanguage}, which LANGUAGES does not offer.`)
  if (isRoot(raw.HOME_PAGE, raw.ACCOUNT_URL))
    problems.push(`HOME_PAGE is ${raw.HOME_PAGE}, which leads to itself. Set it to page, account or another address.`)
  return {
    brand,
    languages,
    defaultLanguage,
    letterLanguages: lettersIn(languages, defaultLanguage),
    brandDir: raw.BRAND_DIR,
    defaultTheme: raw.DEFAULT_THEME,
    termsUrl: raw.TERMS_URL,
    privacyUrl: raw.PRIVACY_URL,
    docsUrl: raw.DOCS_URL,
    supportUrl: raw.SUPPORT_URL,
    imprintUrl: raw.IMPRINT_URL,
    /** Where `/` leads: to the home page, to the account, or to an address. */
    home: raw.HOME_PAGE,
    profileFields: raw.PROFILE_FIELDS,
    citiesFile: raw.CITIES_FILE,
    signupFirst: raw.SIGNUP_FIRST,
  }
}

/** Returns the languages of letters and of the claim `locale`, the usual one first: those of ours that pages are offered in. */
function lettersIn(languages: string[], defaultLanguage: string): Locale[] {
  const ours = languages.filter(isLocale)
  const first = ours.find((locale) => locale === defaultLanguage) ?? ours[0] ?? 'en'
  return [first, ...ours.filter((locale) => locale !== first)]
}

/** Returns whether an address is `/` of the account host. */
function isRoot(home: string, accountUrl: string): boolean {
  if (!URL.canParse(home)) return false
  const { origin, pathname } = new URL(home)
  return pathname === '/' && origin === new URL(accountUrl).origin
}

/** Returns a copy, since a change of the folder in development replaces its content. */
function readFolder(folder: string | undefined, problems: string[]): Brand | undefined {
  if (folder === undefined) return { ...noBrand }
  try {
    return readBrand(folder)
  } catch (fault) {
    if (!(fault instanceof BrandFault)) throw fault
    problems.push(`BRAND_DIR: ${fault.message}.`)
    return undefined
  }
}
