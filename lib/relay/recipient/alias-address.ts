import { alphabet } from './local-part.ts'

const firstLetter = alphabet.indexOf('a')
const length = 12

/** Returns a random alias: a letter and eleven characters, uniformly distributed; about 59 bits. */
export function makeAliasName(random: (bytes: number) => Uint8Array): string {
  const draw = makeDraw(random)
  const first = alphabet[firstLetter + draw(alphabet.length - firstLetter)] as string
  return first + Array.from({ length: length - 1 }, () => alphabet[draw(alphabet.length)]).join('')
}

/** Returns the address of an alias. */
export const aliasAddress = (name: string, relayDomain: string): string => `${name}@${relayDomain}`

/** Draws numbers below a limit without bias (rejection sampling). */
function makeDraw(random: (bytes: number) => Uint8Array) {
  let pool: number[] = []
  const nextByte = () => {
    if (pool.length === 0) pool = [...random(2 * length)]
    return pool.pop() as number
  }
  return (limit: number): number => {
    const fair = 256 - (256 % limit)
    for (;;) {
      const byte = nextByte()
      if (byte < fair) return byte % limit
    }
  }
}
