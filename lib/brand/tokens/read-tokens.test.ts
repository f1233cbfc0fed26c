import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { contrast, readColour } from './colour.ts'
import { readTokens } from './read-tokens.ts'
import { fixedColours, meetings, usualColours } from './usual-tokens.ts'

const read = (text: string) => readTokens(text, 'tokens.css')

const dark = `--ground: #0d1220;
--surface: #151c2e;
--sunken: #0a0e19;
--ink: #eef2fb;
--ink-soft: #b4bfd8;
--line-control: #8893ad;
--accent: #a8c4ff;
--accent-fill: #8fb2fb;
--accent-fill-over: #a8c4ff;
--on-accent: #0a1430;
--accent-wash: #1e2c4d;
--focus: #ffc861;
`

describe('tokens.css', () => {
  it('replaces colours, corners and the typeface', () => {
    const { css } = read(`/* Ours */
--accent: light-dark(#123f8a, #a8c4ff);
--accent-fill: light-dark(#123f8a, #a8c4ff);
--on-accent: light-dark(#fff, #0a1430);
--accent-fill-over: light-dark(#0d2f68, #c2d6ff);
--corner-l: 0.25rem;
--typeface: "IBM Plex Sans", Arial;
`)
    expect(css).toBe(
      ':root{--green:light-dark(#123f8a,#a8c4ff);--green-fill:light-dark(#123f8a,#a8c4ff);--green-fill-over:light-dark(#0d2f68,#c2d6ff);--on-green:light-dark(#fff,#0a1430);--corner-l:0.25rem;--latin:"IBM Plex Sans","Arial"}',
    )
  })

  it('changes nothing when it is empty', () => {
    expect(read('')).toEqual({ css: '', others: '', colours: usualColours })
  })

  it.each([
    ['a selector', ':root { --ink: #000; }', 'line 1'],
    ['a second rule on the line', '--ink: #000; } body { display: none', 'line 1'],
    ['an import', '@import "https://evil.example/x.css";', 'line 1'],
    ['an address', '--typeface: url(https://evil.example/);', 'names of fonts'],
    ['an unknown name', '\n--inc: #000;', 'line 2: --inc is not known'],
    ['a name of JavaScript', '--constructor: #000;', 'is not known'],
    ['a name twice', '--ink: #000;\n--ink: #111;', 'line 2: --ink appears twice'],
    ['a colour in words', '--ink: black;', 'write a colour'],
    ['a variable', '--ink: var(--ground);', 'write a colour'],
    ['an end tag', '--ink: #000</style><script>;', 'write'],
    ['a colour of four digits', '--ink: #0000;', 'write a colour'],
    ['a huge corner', '--corner: 99rem;', 'write a length'],
    ['a negative corner', '--corner: -1px;', 'write a length'],
    ['a typeface with a quotation mark inside', '--typeface: "a";b";', 'tokens.css, line 1'],
    ['no semicolon', '--ink: #000', 'line 1'],
    ['a huge value', `--ink: ${'#'.repeat(10_000)};`, 'line 1'],
  ])('refuses %s and names the line', (_, text, words) => {
    expect(() => read(text)).toThrow(words)
  })

  it.each([
    [
      'a ground that is too dark for red',
      '--ground: light-dark(#b8b0a0, #101713);\n--ink: light-dark(#000000, #eeeeee);\n--ink-soft: light-dark(#111111, #dddddd);\n--accent: light-dark(#001a10, #a3dcbf);\n--focus: light-dark(#001a10, #ffc861);',
      '--red on --ground',
    ],
    ['a dark look in both places', dark, '--red on --ground'],
    ['a warning on a ground that is too dark', '--surface: light-dark(#fefcf8, #4b463c);', 'on --surface'],
  ])('refuses %s, with colours that a brand cannot change', (_, text, words) => {
    expect(() => read(text)).toThrow(words)
  })

  it('refuses a contrast below AA, in light and in dark', () => {
    expect(() => read('--ink-soft: light-dark(#999999, #bbbbbb);')).toThrow(
      /--ink-soft on --ground has a contrast of 2\.\d\d in the light look; it needs 4\.5/,
    )
    expect(() => read('--accent: light-dark(#1d4b38, #1d4b38);')).toThrow(/in the dark look/)
    // The help text of a chosen option.
    expect(() =>
      read('--ink-soft: light-dark(#5f5f5f, #cccccc);\n--accent-wash: light-dark(#b9c6e4, #222222);'),
    ).toThrow(/--ink-soft on --accent-wash has a contrast of 3\.7/)
  })
})

const ours = { ...usualColours, ...fixedColours }

describe('our own look', () => {
  it('is the same as in app/tokens.css', () => {
    const css = readFileSync(new URL('../../../app/tokens.css', import.meta.url), 'utf8')
    for (const [name, [light, dark]] of Object.entries(ours))
      expect(css).toContain(`--${name}: light-dark(${light}, ${dark});`)
  })

  it.each([0, 1])('has the contrast that a brand needs (%i)', (index) => {
    for (const [over, under, least] of meetings) {
      const [one, other] = [readColour(ours[over][index] ?? ''), readColour(ours[under][index] ?? '')]
      expect([over, under, one && other && contrast(one, other) >= least]).toEqual([over, under, true])
    }
  })
})

describe('a contrast', () => {
  it.each([
    ['#000', '#ffffff', 21],
    ['#777777', '#ffffff', 4.48],
    ['#767676', '#ffffff', 4.54],
    ['oklch(1 0 0)', '#000', 21],
    ['oklch(0.628 0.2577 29.23)', '#ffffff', 4],
  ])('of %s and %s is %f', (one, other, expected) => {
    const found = contrast(readColour(one) ?? [0, 0, 0], readColour(other) ?? [0, 0, 0])
    expect(Math.abs(found - expected)).toBeLessThan(0.05)
  })
})
