const longest = 24

/** Keeps a name on one line of a heading where it fits: Chinese headings would break at its spaces. */
export const inOneLine = (name: string): string => (name.length <= longest ? name.replaceAll(' ', '\u00a0') : name)
