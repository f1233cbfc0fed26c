import type { ShownSecret } from './command.ts'

/**
 * Returns text with control characters and direction marks escaped, so that a name or a log line cannot control the
 * terminal.
 */
export const printable = (text: string): string => text.replace(controls, written)

/** Returns JSON with the same characters escaped; it parses to the same value. */
export const printableJson = (value: unknown): string => JSON.stringify(value, null, 2).replace(controls, written)

/** Returns each secret on its own line, in bold if `isColored` is set. */
export function secretBlock(secrets: ShownSecret[], isColored: boolean): string {
  const [bold, plain] = isColored ? ['\x1b[1m', '\x1b[0m'] : ['', '']
  return secrets.map(({ title, value }) => `\n${printable(title)}\n\n    ${bold}${printable(value)}${plain}\n`).join('')
}

/**
 * Matches characters that could disturb a terminal: control characters (except line feed and tab), line and paragraph
 * separators, and characters that change the text direction.
 */
const controls = /[^\P{Cc}\t\n]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

const written = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
