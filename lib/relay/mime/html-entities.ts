/** HTML names of the characters U+00A0 to U+00FF. */
const latin1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'

/** HTML entities that can occur in or next to an e-mail address. */
export const htmlEntities: ReadonlyMap<string, string> = new Map([
  ...latin1.split(' ').map((name, at): [string, string] => [name, String.fromCharCode(0xa0 + at)]),
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['commat', '@'],
  ['period', '.'],
  ['lowbar', '_'],
  ['UnderBar', '_'],
  ['plus', '+'],
  ['equals', '='],
  ['percnt', '%'],
  ['num', '#'],
  ['hyphen', '-'],
  ['dash', '-'],
  ['excl', '!'],
  ['ast', '*'],
  ['sol', '/'],
  ['quest', '?'],
  ['lbrace', '{'],
  ['rbrace', '}'],
  ['zwj', '\u200d'],
  ['zwnj', '\u200c'],
  ['ZeroWidthSpace', '\u200b'],
  ['NoBreak', '\u2060'],
])
