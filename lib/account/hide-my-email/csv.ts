/** Returns a CSV file (RFC 4180). The byte order mark makes spreadsheets read it as UTF-8. */
export const csvFile = (rows: readonly (readonly string[])[]): string =>
  `\ufeff${rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`

/** A spreadsheet runs a cell that starts with one of these characters as a formula; an apostrophe makes it text. */
const cell = (text: string) => `"${formula.test(text) ? "'" : ''}${text.replaceAll('"', '""')}"`
const formula = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u
