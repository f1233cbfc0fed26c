/**
 * Returns the skeleton of a name: names with the same skeleton look alike (after Unicode TS #39). Case, spaces and
 * punctuation do not count.
 */
export const skeletonOf = (name: string): string =>
  [...name.normalize('NFKC').toLowerCase().normalize('NFD')]
    .filter((character) => /[\p{L}\p{N}]/u.test(character))
    .map((character) => twins.get(character) ?? character)
    .join('')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replaceAll('0', 'o')
    .replace(/[1i]/g, 'l')

/** Letters of other scripts that look like a Latin one. */
const twins = new Map(
  Object.entries({
    a: 'аα',
    b: 'вβ',
    c: 'сϲ',
    d: 'ԁ',
    e: 'еε',
    g: 'ԍ',
    h: 'һн',
    i: 'іιı',
    j: 'јϳ',
    k: 'кκ',
    l: 'ӏ',
    m: 'м',
    n: 'пη',
    o: 'оοօ',
    p: 'рρ',
    q: 'ԛ',
    r: 'г',
    s: 'ѕ',
    t: 'тτ',
    u: 'υ',
    v: 'ѵν',
    w: 'ԝω',
    x: 'хχ',
    y: 'уγ',
  }).flatMap(([latin, letters]) => [...letters].map((letter) => [letter, latin] as const)),
)
