import { htmlEntities } from '#lib/relay/mime/html-entities'

/** A pattern for a text, each character in every escape, with `between` between two of them; `others` adds ways to write one. */
export const spellAll = (text: string, between: string, others: Record<string, string> = {}): string =>
  Array.from(text, (char) => (others[char] ? `(?:${others[char]}|${spell(char)})` : spell(char))).join(between)

/** A pattern for one character: itself and every escape of it, in both cases. */
export function spell(char: string): string {
  const known = spelled.get(char) ?? escapesOf(char)
  if (char <= '~') spelled.set(char, known)
  return known
}

/** Addresses are made of few characters, and each is in several patterns. */
const spelled = new Map<string, string>()

function escapesOf(char: string): string {
  const cases = [...new Set([char, char.toLowerCase(), char.toUpperCase()])].filter((one) => [...one].length === 1)
  const codes = cases.map((one) => one.codePointAt(0) as number)
  const names = [...htmlEntities].flatMap(([name, one]) => (cases.includes(one) ? [name] : []))
  const forms = [
    ...cases.flatMap((one) => [one, one.normalize('NFD'), ...(lookalikes[one] ?? [])]).map(RegExp.escape),
    ...cases.map((one) => [...Buffer.from(one)].map((byte) => `[%=](?:25|3D)*${hex(byte, 2)}`).join('')),
    `\\\\(?:${codes.map((code) => `u${hex(code, 4)}|u\\{0*${hex(code, 1)}\\}${code < 256 ? `|x${hex(code, 2)}|${octal(code)}` : ''}|0{0,4}${hex(code, 2)}(?:[ \\t]|(?![0-9a-f]))`).join('|')})`,
    `%(?:25)*u(?:${codes.map((code) => hex(code, 4)).join('|')})`,
    `&(?:amp;)*(?:#0*(?:${codes.join('|')})|#x0*(?:${codes.map((code) => hex(code, 1)).join('|')})${names.map((name) => `|${name}`).join('')});?`,
    ...(/[\w]/.test(char) || char > '~' ? [] : [`[+_*-]${hex(codes[0] as number, 2)}`]),
  ]
  return `(?:${[...new Set(forms)].join('|')})`
}

/** A sign in itself or percent-encoded. */
export const spellSign = (sign: string): string =>
  `(?:${RegExp.escape(sign)}|[%=](?:25|3D)*${hex(sign.charCodeAt(0), 2)})`

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0')
const octal = (code: number): string => code.toString(8).padStart(3, '0')

const lookalikes: Record<string, string[]> = { '.': ['\u3002', '\uff0e', '\uff61'], "'": ['\u2018', '\u2019'] }
