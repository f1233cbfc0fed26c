import type { ShownSecret } from './command.ts'

/** Returns text in which control characters and direction marks are written out: names and logs must not drive a terminal. */
export const printable = (text: string): string => text.replace(controls, written)

/** The same as JSON, which stays equal to the value when it is parsed. */
export const printableJson = (value: unknown): string => JSON.stringify(value, null, 2).replace(controls, written)

/** Returns secrets as a person cannot overlook them: each on a line of its own, in bold where the terminal can. */
export function secretBlock(secrets: ShownSecret[], isColored: boolean): string {
  const [bold, plain] = isColored ? ['\x1b[1m', '\x1b[0m'] : ['', '']
  return secrets.map(({ title, value }) => `\n${printable(title)}\n\n    ${bold}${printable(value)}${plain}\n`).join('')
}

/** All but the line feed and the tab. */
const controls = /[^\P{Cc}\t\n]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

const written = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
