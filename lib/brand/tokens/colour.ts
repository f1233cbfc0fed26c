/** A colour as linear light of sRGB, each part from 0 to 1. */
export type Colour = readonly [red: number, green: number, blue: number]

/** Reads `#rgb`, `#rrggbb` or `oklch(L C H)`; undefined for anything else. Colours outside sRGB are cut off, as screens do. */
export function readColour(text: string): Colour | undefined {
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text)?.[1]
  if (hex) {
    const digits = hex.length === 3 ? [...hex].map((digit) => digit + digit) : (hex.match(/../g) ?? [])
    return digits.map((pair) => toLinear(Number.parseInt(pair, 16) / 255)) as unknown as Colour
  }
  const [, lightness, chroma, hue] =
    /^oklch\((0|1|0?\.\d{1,4}) (0|0?\.\d{1,4}) (\d{1,3}(?:\.\d{1,2})?)\)$/.exec(text) ?? []
  return lightness === undefined ? undefined : fromOklch(Number(lightness), Number(chroma), Number(hue))
}

/** The contrast of two colours, from 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrast(one: Colour, other: Colour): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((first, second) => second - first) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

const luminance = ([red, green, blue]: Colour) => 0.2126 * red + 0.7152 * green + 0.0722 * blue

const toLinear = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)

/** CSS Color 4 §10.4, "Sample code for Color Conversions". */
function fromOklch(lightness: number, chroma: number, hue: number): Colour {
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)]
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const parts = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
  return parts.map((part) => Math.min(1, Math.max(0, part))) as unknown as Colour
}

/** Writes a colour as `#rrggbb`, for mail programs, which know no other form. */
export const toHex = (colour: Colour): string =>
  `#${colour
    .map((part) =>
      Math.round(fromLinear(part) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`

const fromLinear = (part: number) => (part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055)
