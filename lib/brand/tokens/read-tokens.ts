import { BrandFault } from '#lib/brand/brand-fault'
import { contrast, readColour } from './colour.ts'
import { type ColourName, fixedColours, meetings, usualColours } from './usual-tokens.ts'

/** The look of a brand: style rules of our pages, each colour for light and dark, and corners and typeface as declarations. */
export type Look = { css: string; others: string; colours: Record<ColourName, readonly [light: string, dark: string]> }

/** The names of a brand’s file say what a colour is for; our own look calls its accent green. */
const names: Record<string, ColourName> = Object.fromEntries(
  Object.keys(usualColours).map((name) => [`--${name.replace('green', 'accent')}`, name as ColourName]),
)
const lengths = ['--corner-s', '--corner', '--corner-l']
const known = [...Object.keys(names), ...lengths, '--typeface']

/**
 * Reads tokens.css: one custom property a line, each of a known name and type. It is no style sheet: selectors, `url()` and
 * `@import` have no place in it, and nothing of it is copied unread. Refuses colours below the contrast of WCAG 2.2 AA.
 */
export function readTokens(text: string, file: string): Look {
  const colours: Look['colours'] = { ...usualColours }
  const others: string[] = []
  const seen = new Set<string>()
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.replace(/\/\*.*?\*\//g, '').trim()
    if (line === '') continue
    const refuse = (what: string) => new BrandFault(file, what, index + 1)
    const [, name = '', value = ''] = /^(--[a-z-]+):\s*([^;{}]{1,300});$/.exec(line) ?? []
    if (name === '') throw refuse('write one custom property on a line, such as --accent: #1d4b38;')
    if (!known.includes(name)) throw refuse(`${name} is not known; the names are ${known.join(', ')}`)
    if (seen.has(name)) throw refuse(`${name} appears twice`)
    seen.add(name)
    const colour = names[name]
    if (colour) colours[colour] = readPair(value.trim(), refuse)
    else
      others.push(name === '--typeface' ? readTypeface(value.trim(), refuse) : readLength(name, value.trim(), refuse))
  }
  for (const [index, scheme] of (['light', 'dark'] as const).entries()) checkContrast(colours, file, index, scheme)
  return { css: writeCss(colours, others), others: others.join(';'), colours }
}

type Refuse = (what: string) => BrandFault

function readPair(value: string, refuse: Refuse): readonly [string, string] {
  const colour = String.raw`(#[0-9a-fA-F]{3,6}|oklch\([\d. ]+\))`
  const [, light, dark] = new RegExp(`^light-dark\\(${colour}, ?${colour}\\)$`).exec(value) ?? [value, value, value]
  if (!light || !dark || !readColour(light) || !readColour(dark))
    throw refuse('write a colour as #1d4b38, oklch(0.385 0.065 163), or light-dark(#1d4b38, #a3dcbf)')
  return [light, dark]
}

function readLength(name: string, value: string, refuse: Refuse): string {
  const [, digits, unit] = /^(\d{1,2}(?:\.\d{1,4})?)(rem|px)$/.exec(value) ?? []
  if (digits === undefined || Number(digits) > (unit === 'rem' ? 2 : 32))
    throw refuse('write a length from 0rem to 2rem, or from 0px to 32px')
  return `${name}:${digits}${unit}`
}

/** Names of fonts that the browser has; quotation marks are ours. */
function readTypeface(value: string, refuse: Refuse): string {
  const fonts = value.split(',').map((font) => font.trim().replace(/^"(.*)"$/, '$1'))
  if (fonts.length > 10 || !fonts.every((font) => /^[A-Za-z0-9][A-Za-z0-9 -]{0,40}$/.test(font)))
    throw refuse('write up to ten names of fonts, such as "Inter", "Segoe UI"')
  return `--latin:${fonts.map((font) => `"${font}"`).join(',')}`
}

function checkContrast(colours: Look['colours'], file: string, index: number, scheme: string) {
  const named = (name: string) => `--${name.replace('green', 'accent')}`
  const all = { ...colours, ...fixedColours }
  for (const [over, under, least] of meetings) {
    const [one, other] = [readColour(all[over][index] ?? ''), readColour(all[under][index] ?? '')]
    if (!one || !other) continue
    const found = contrast(one, other)
    if (found < least)
      throw new BrandFault(
        file,
        `${named(over)} on ${named(under)} has a contrast of ${found.toFixed(2)} in the ${scheme} look; it needs ${least} (WCAG 2.2 AA)`,
      )
  }
}

/** Only what differs from our own look is written. */
function writeCss(colours: Look['colours'], others: string[]): string {
  const changed = Object.entries(colours)
    .filter(([name, pair]) => pair.join() !== usualColours[name as ColourName].join())
    .map(([name, [light, dark]]) => `--${name}:light-dark(${light},${dark})`)
  const rules = [...changed, ...others]
  return rules.length === 0 ? '' : `:root{${rules.join(';')}}`
}
