import type { Brand } from '#lib/brand/read-brand'
import { readColour, toHex } from '#lib/brand/tokens/colour'
import type { ColourName } from '#lib/brand/tokens/usual-tokens'

/** The colours of a letter, as hexadecimal digits, which every mail program knows. */
export type Palette = Record<keyof typeof colourOf, string>

const colourOf = {
  paper: 'ground',
  surface: 'surface',
  sunken: 'sunken',
  line: 'line',
  ink: 'ink',
  soft: 'ink-soft',
  accent: 'green',
  fill: 'green-fill',
  onFill: 'on-green',
} as const satisfies Record<string, ColourName>

const ours: readonly [light: Palette, dark: Palette] = [
  {
    paper: '#f9f6f0',
    surface: '#fffdf9',
    sunken: '#f0ebe1',
    line: '#e5dfd3',
    ink: '#1e2b25',
    soft: '#4f5b52',
    accent: '#1d4b38',
    fill: '#1d4b38',
    onFill: '#fdfbf6',
  },
  {
    paper: '#101713',
    surface: '#1a231e',
    sunken: '#111915',
    line: '#35413a',
    ink: '#ecebe2',
    soft: '#b7bbb0',
    accent: '#a3dcbf',
    fill: '#8fcfae',
    onFill: '#10211a',
  },
]

/** Returns the colours of the light and the dark look. */
export const palettesOf = ({ isOwn, look }: Pick<Brand, 'isOwn' | 'look'>): readonly [light: Palette, dark: Palette] =>
  isOwn ? [paletteOf(look, 0), paletteOf(look, 1)] : ours

const paletteOf = ({ colours }: Brand['look'], index: 0 | 1): Palette =>
  Object.fromEntries(
    Object.entries(colourOf).map(([name, colour]) => [name, toHex(readColour(colours[colour][index]) ?? [0, 0, 0])]),
  ) as Palette
