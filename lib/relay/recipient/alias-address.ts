import { alphabet } from './local-part.ts'

const firstLetter = alphabet.indexOf('a')
const length = 12

/** The name of a new relay address: a letter, then eleven characters, each equally likely; about 59 bits. */
export function makeAliasName(random: (bytes: number) => Uint8Array): string {
  const draw = makeDraw(random)
  const first = alphabet[firstLetter + draw(alphabet.length - firstLetter)] as string
  return first + Array.from({ length: length - 1 }, () => alphabet[draw(alphabet.length)]).join('')
}

/** The address an app is given for a name. */
export const aliasAddress = (name: string, relayDomain: string): string => `${name}@${relayDomain}`

/** Draws a number below a limit without bias: a byte beyond the last whole multiple is thrown away. */
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
