const longest = 24

/** A name that stays together in a heading where it fits: Chinese headings break at spaces, of which there may be no others. */
export const inOneLine = (name: string): string => (name.length <= longest ? name.replaceAll(' ', '\u00a0') : name)
