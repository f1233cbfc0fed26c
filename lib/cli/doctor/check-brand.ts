import type { Config } from '#lib/server/settings/config'
import { type Finding, ok } from './check.ts'

/** Says what BRAND_DIR changes. A fault in it is a fault of the settings, which name the file, the line and what to do. */
export function checkBrand({ brand, brandDir, languages }: Config): Finding {
  const name = 'brand'
  if (!brand.isOwn) return ok(name, 'is ours; BRAND_DIR changes it.')
  const parts = [
    ...Object.keys(brand.pictures),
    ...(brand.letterLogo ? ['letter-logo.png'] : []),
    ...(brand.look.css ? ['tokens.css'] : []),
    ...[...brand.texts.keys()].map((language) => `messages.${language}.json`),
    ...(brand.home ? ['home.md'] : []),
  ]
  return ok(name, `${brandDir} has ${parts.join(', ') || 'no file'}; languages: ${languages.join(', ')}.`)
}
