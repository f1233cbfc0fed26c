/** The colours of our own look that a brand may replace, for light and dark; app/tokens.css has the same ones. */
export const usualColours = {
  ground: ['oklch(0.972 0.009 88)', 'oklch(0.19 0.012 165)'],
  surface: ['oklch(0.994 0.004 88)', 'oklch(0.232 0.014 165)'],
  sunken: ['oklch(0.948 0.012 88)', 'oklch(0.165 0.011 165)'],
  line: ['oklch(0.893 0.014 88)', 'oklch(0.325 0.016 165)'],
  'line-control': ['oklch(0.585 0.022 110)', 'oklch(0.6 0.022 150)'],
  ink: ['oklch(0.265 0.018 165)', 'oklch(0.935 0.012 95)'],
  'ink-soft': ['oklch(0.435 0.018 150)', 'oklch(0.775 0.016 110)'],
  green: ['oklch(0.385 0.065 163)', 'oklch(0.845 0.075 158)'],
  'green-fill': ['oklch(0.385 0.065 163)', 'oklch(0.79 0.08 160)'],
  'green-fill-over': ['oklch(0.325 0.06 163)', 'oklch(0.85 0.07 160)'],
  'on-green': ['oklch(0.985 0.008 95)', 'oklch(0.205 0.03 165)'],
  'green-wash': ['oklch(0.938 0.02 140)', 'oklch(0.285 0.03 158)'],
  focus: ['oklch(0.5 0.12 163)', 'oklch(0.82 0.13 78)'],
} as const satisfies Record<string, readonly [light: string, dark: string]>

export type ColourName = keyof typeof usualColours

/** The colours of danger and of warnings, which a brand cannot replace. */
export const fixedColours = {
  red: ['oklch(0.455 0.165 27)', 'oklch(0.81 0.105 25)'],
  'red-fill': ['oklch(0.455 0.165 27)', 'oklch(0.76 0.125 25)'],
  'red-wash': ['oklch(0.955 0.018 42)', 'oklch(0.275 0.045 27)'],
  'amber-ink': ['oklch(0.435 0.095 58)', 'oklch(0.865 0.1 80)'],
  'amber-wash': ['oklch(0.955 0.035 82)', 'oklch(0.295 0.04 72)'],
} as const satisfies Record<string, readonly [light: string, dark: string]>

export type MeetingName = ColourName | keyof typeof fixedColours

/** Pairs of colours that meet on our pages, and the contrast that WCAG 2.2 AA asks for (1.4.3 and 1.4.11). */
export const meetings: readonly [over: MeetingName, under: MeetingName, least: number][] = [
  ['ink', 'ground', 4.5],
  ['ink', 'surface', 4.5],
  ['ink', 'sunken', 4.5],
  ['ink', 'green-wash', 4.5],
  ['ink-soft', 'ground', 4.5],
  ['ink-soft', 'surface', 4.5],
  ['ink-soft', 'sunken', 4.5],
  ['ink-soft', 'green-wash', 4.5],
  ['green', 'ground', 4.5],
  ['green', 'surface', 4.5],
  ['green', 'sunken', 4.5],
  ['green', 'green-wash', 4.5],
  ['on-green', 'green-fill', 4.5],
  ['on-green', 'green-fill-over', 4.5],
  ['line-control', 'surface', 3],
  ['line-control', 'sunken', 3],
  ['line-control', 'green-wash', 3],
  ['focus', 'ground', 3],
  ['focus', 'surface', 3],
  ['focus', 'sunken', 3],
  ['focus', 'green-wash', 3],
  ['red', 'ground', 4.5],
  ['red', 'surface', 4.5],
  ['red-fill', 'ground', 3],
  ['red-fill', 'surface', 3],
  ['amber-ink', 'ground', 4.5],
  ['amber-ink', 'surface', 4.5],
  ['ink', 'red-wash', 4.5],
  ['ink', 'amber-wash', 4.5],
  ['green', 'red-wash', 4.5],
  ['green', 'amber-wash', 4.5],
  ['ink-soft', 'red-wash', 4.5],
  ['ink-soft', 'amber-wash', 4.5],
  ['line-control', 'ground', 3],
]
