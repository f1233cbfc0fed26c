import { z } from 'zod'

const profileFieldNames = [
  'picture',
  'name',
  'nickname',
  'biography',
  'gender',
  'birthdate',
  'region',
  'locale',
] as const

/** The name of a part of the profile that the account pages may show. */
export type ProfileFieldName = (typeof profileFieldNames)[number]

const listed = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

const webAddress = z.url({ protocol: /^https?$/, error: 'must be an http(s) address' })

/** The settings about what people see, besides the files of BRAND_DIR. */
export const lookSettings = {
  BRAND_DIR: z.string().min(1).optional(),
  LANGUAGES: z.string().default('').transform(listed),
  DEFAULT_LANGUAGE: z.string().optional(),
  DEFAULT_THEME: z.enum(['system', 'light', 'dark'], { error: 'must be system, light or dark' }).default('system'),
  SUPPORT_URL: z.url({ protocol: /^(https?|mailto)$/, error: 'must be an http(s) or mailto address' }).optional(),
  IMPRINT_URL: webAddress.optional(),
  HOME_PAGE: z
    .union([z.enum(['page', 'account']), webAddress], { error: 'must be page, account or an http(s) address' })
    .default('page'),
  PROFILE_FIELDS: z
    .string()
    .default(profileFieldNames.join(','))
    .transform(listed)
    .pipe(z.array(z.enum(profileFieldNames, { error: `may name ${profileFieldNames.join(', ')} only` }))),
  CITIES_FILE: z.string().optional(),
  SIGNUP_FIRST: z.enum(['password', 'passkey'], { error: 'must be password or passkey' }).default('password'),
}

/** An example of each. */
export const lookExamples = {
  BRAND_DIR: 'deploy/brand',
  LANGUAGES: 'en,ja',
  DEFAULT_LANGUAGE: 'ja',
  DEFAULT_THEME: 'light',
  SUPPORT_URL: 'mailto:help@example.org',
  IMPRINT_URL: 'https://example.org/imprint',
  HOME_PAGE: 'page',
  PROFILE_FIELDS: 'picture,name,nickname',
  CITIES_FILE: '/var/lib/cities/GeoLite2-City.mmdb',
  SIGNUP_FIRST: 'passkey',
}
