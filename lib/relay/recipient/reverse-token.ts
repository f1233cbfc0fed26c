import { createHmac } from 'node:crypto'
import { spell } from './alphabet.ts'

/** Stands for an app's address in mail to one alias: always the same 20 characters (99 bits), and nobody can compute them. */
export function makeReverseToken(key: Uint8Array, alias: string, target: string): string {
  const hash = createHmac('sha256', key).update(`reverse\0${alias}\0${target.toLowerCase()}`).digest('hex')
  return spell(BigInt(`0x${hash}`), 20)
}
