import fc from 'fast-check'

/** Any Unicode character, for strings. fast-check's own arbitrary takes a second to list a million characters. */
export const anyCharacter = fc
  .nat({ max: 0x10_ffff - 0x800 })
  .map((number) => String.fromCodePoint(number < 0xd800 ? number : number + 0x800))
