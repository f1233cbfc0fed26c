export const isRtf = (file: Buffer): boolean => file.toString('latin1', 0, 5) === '{\\rtf'

/** The words of an RTF file without what sets them: a word can stand in several groups, each with its own look. */
export const wordsOfRtf = (file: Buffer): Buffer =>
  Buffer.from(file.toString('latin1').replace(/\\[a-z]{1,32}(?:-?\d{1,10})? ?|[{}\r\n]/gi, ''), 'latin1')
