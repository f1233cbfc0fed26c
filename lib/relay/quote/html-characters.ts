import { htmlEntities } from '../mime/html-entities.ts'

/**
 * The text that a character reference of HTML at this place stands for, and where the reference ends; undefined for an `&` that
 * is only itself. `name` is set for a named reference that is not known here.
 */
export function readReference(html: string, at: number, isAttribute: boolean): Reference | undefined {
  reference.lastIndex = at
  const found = reference.exec(html)
  if (!found) return undefined
  const [whole, decimal, hexadecimal, name = '', end] = found
  if (decimal) return { text: characterOf(Number(decimal)), to: at + whole.length }
  if (hexadecimal) return { text: characterOf(Number.parseInt(hexadecimal, 16)), to: at + whole.length }
  const known = namedCharacter(name)
  if (end === ';') return { text: known ?? '', to: at + whole.length, unknown: known === undefined }
  return readUnended(html, at, name, isAttribute)
}

export type Reference = { text: string; to: number; unknown?: boolean }

const reference = /&(?:#(\d{1,7});?|#x([0-9a-f]{1,6});?|([a-z][a-z0-9]{1,31})(;?))/iy

/** HTML §13.2.5.73: old names need no semicolon; in an attribute they do before a letter, a digit or `=`. */
function readUnended(html: string, at: number, name: string, isAttribute: boolean): Reference | undefined {
  for (let length = Math.min(name.length, 6); length >= 2; length--) {
    const text = oldCharacter(name.slice(0, length))
    if (text === undefined) continue
    const to = at + 1 + length
    return isAttribute && /[a-z0-9=]/i.test(html[to] ?? '') ? undefined : { text, to }
  }
  return undefined
}

function oldCharacter(name: string): string | undefined {
  const known = /^(amp|lt|gt|quot)$/i.test(name) ? namedCharacter(name) : htmlEntities.get(name)
  return known !== undefined && /^[&<>"\u00a0-\u00ff]$/.test(known) ? known : undefined
}

/** HTML reads the numbers of C1 controls as windows-1252. */
function characterOf(code: number): string {
  if (code >= 0x80 && code <= 0x9f) return windows1252.decode(Uint8Array.of(code))
  return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : ''
}

const windows1252 = new TextDecoder('windows-1252')

const namedCharacter = (name: string): string | undefined =>
  htmlEntities.get(name) ?? named.get(name) ?? (symbols.has(name) ? ' ' : undefined)

const greek =
  'Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho - Sigma Tau Upsilon Phi Chi Psi Omega'

const named: ReadonlyMap<string, string> = new Map([
  ...greek.split(' ').flatMap((name, at): [string, string][] => [
    [name, String.fromCharCode(0x391 + at)],
    [name.toLowerCase(), String.fromCharCode(0x3b1 + at)],
  ]),
  ...Object.entries({
    ...{ AMP: '&', LT: '<', GT: '>', QUOT: '"', sigmaf: '\u03c2', OElig: '\u0152', oelig: '\u0153', Yuml: '\u0178' },
    ...{
      Scaron: '\u0160',
      scaron: '\u0161',
      fnof: '\u0192',
      trade: '\u2122',
      ell: '\u2113',
      NonBreakingSpace: '\u00a0',
    },
    ...{ Ccaron: '\u010c', ccaron: '\u010d', Zcaron: '\u017d', zcaron: '\u017e', Rcaron: '\u0158', rcaron: '\u0159' },
    ...{ Ecaron: '\u011a', ecaron: '\u011b', Ncaron: '\u0147', ncaron: '\u0148', inodot: '\u0131', Idot: '\u0130' },
    ...{ Lstrok: '\u0141', lstrok: '\u0142', Sacute: '\u015a', sacute: '\u015b', Zacute: '\u0179', zacute: '\u017a' },
    ...{ Cacute: '\u0106', cacute: '\u0107', Nacute: '\u0143', nacute: '\u0144', Aogon: '\u0104', aogon: '\u0105' },
    ...{ Eogon: '\u0118', eogon: '\u0119', Zdot: '\u017b', zdot: '\u017c', Scedil: '\u015e', scedil: '\u015f' },
    ...{ Gbreve: '\u011e', gbreve: '\u011f', Uring: '\u016e', uring: '\u016f', Abreve: '\u0102', abreve: '\u0103' },
    ...{ Dstrok: '\u0110', dstrok: '\u0111', odblac: '\u0151', udblac: '\u0171', Odblac: '\u0150', Udblac: '\u0170' },
  }),
])

/** Named characters that are neither letters nor digits: which sign each is does not matter here. */
const symbols = new Set(
  'lsquo rsquo sbquo ldquo rdquo bdquo lsaquo rsaquo hellip bull bullet middot centerdot ndash mdash horbar ensp emsp emsp13 emsp14 thinsp hairsp numsp puncsp lrm rlm euro permil pertnk prime Prime oline frasl larr uarr rarr darr harr crarr lArr uArr rArr dArr hArr forall part exist empty nabla isin notin ni prod sum minus lowast radic prop infin ang and or cap cup int there4 sim cong asymp ne equiv le ge sub sup nsub sube supe oplus otimes perp sdot lceil rceil lfloor rfloor lang rang loz spades clubs hearts diams circ tilde dagger Dagger check checkmark cross star starf bigstar phone female male tab Tab NewLine comma colon semi dollar lpar rpar lsqb rsqb lbrack rbrack lcub rcub vert verbar bsol grave Hat quot nbsp shy copy reg copysr sung flat natural sharp malt sext squ square block blk14 blk12 blk34 uhblk lhblk utri dtri ltri rtri utrif dtrif ltrif rtrif boxh boxv xcirc cir bigcirc mldr nldr ThinSpace MediumSpace zwsp InvisibleTimes InvisibleComma ApplyFunction vellip ctdot dtdot'.split(
    ' ',
  ),
)
