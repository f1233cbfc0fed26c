/**
 * Returns the skeleton of a name: names with the same skeleton look alike (after Unicode TS #39). Case, spaces and
 * punctuation do not count.
 */
export const skeletonOf = (name: string): string =>
  [...name.normalize('NFKC').toLowerCase().normalize('NFD')]
    // Some letters, such as the fillers of Hangul, are invisible.
    .filter((character) => /[\p{L}\p{N}]/u.test(character) && !/\p{Default_Ignorable_Code_Point}/u.test(character))
    .map((character) => twins.get(character) ?? character)
    .join('')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replaceAll('0', 'o')
    .replace(/[1i]/g, 'l')

/** Letters of other scripts that look like a Latin one, small capitals, and letters with a stroke. */
const twins = new Map(
  Object.entries({
    a: 'аαɑᴀ',
    b: 'вβʙ',
    c: 'сϲᴄ',
    d: 'ԁđᴅ',
    e: 'еεᴇ',
    f: 'ꜰ',
    g: 'ԍɡɢ',
    h: 'һнħʜ',
    i: 'іιıɪɩ',
    j: 'јϳᴊ',
    k: 'кκᴋ',
    l: 'ӏłʟǀ',
    m: 'мᴍ',
    n: 'пηɴ',
    o: 'оοօøᴏ',
    p: 'рρᴘ',
    q: 'ԛ',
    r: 'гʀ',
    s: 'ѕꜱ',
    t: 'тτŧᴛ',
    u: 'υᴜ',
    v: 'ѵνᴠ',
    w: 'ԝωᴡ',
    x: 'хχ',
    y: 'уγʏ',
    z: 'ᴢ',
  }).flatMap(([latin, letters]) => [...letters].map((letter) => [letter, latin] as const)),
)
