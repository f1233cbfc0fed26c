import fc from 'fast-check'

/** Any character of Unicode, for strings made of them: the library's own takes a second to list a million. */
export const anyCharacter = fc
  .nat({ max: 0x10_ffff - 0x800 })
  .map((number) => String.fromCodePoint(number < 0xd800 ? number : number + 0x800))
