/**
 * Writes a text as a literal of a programming language. Every character outside a harmless set becomes an escape
 * sequence, so that no value can end its literal, interpolate a variable or begin a comment.
 */
const harmless = /^[A-Za-z0-9 \-._~:/?=&@+,;%()*[\]]$/

const literal = (characters: string[], escapeOf: (character: string) => string): string =>
  `"${characters.map((one) => (harmless.test(one) ? one : escapeOf(one))).join('')}"`

const hex = (number: number, digits: number) => number.toString(16).padStart(digits, '0')

/** For JavaScript and Kotlin: one escape sequence for each UTF-16 unit. */
export const unitLiteral = (text: string): string => literal(text.split(''), (one) => `\\u${hex(one.charCodeAt(0), 4)}`)

/** For Python, Go, C#, TOML and YAML: one escape sequence for each character. */
export const characterLiteral = (text: string): string =>
  literal([...text.toWellFormed()], (one) => {
    const code = one.codePointAt(0) ?? 0
    return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`
  })

/** For Rust. */
export const rustLiteral = (text: string): string =>
  literal([...text.toWellFormed()], (one) => `\\u{${hex(one.codePointAt(0) ?? 0, 1)}}`)

/** For a POSIX shell: nothing is special between single quotes but the quote itself. */
export const shellLiteral = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** For the configuration of Apache; no escape sequence can write a line break there. */
export const apacheLiteral = (text: string): string =>
  `"${text.replaceAll(/[\r\n]/g, ' ').replaceAll(/["\\]/g, '\\$&')}"`
