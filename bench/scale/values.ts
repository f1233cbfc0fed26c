import { hash } from 'node:crypto'
import type { DerivedKeys } from '#lib/crypto/derived-keys'
import { writeCode } from '#lib/oauth/authorize/complete'
import { writeRefreshToken } from '#lib/oauth/token/refresh-token'

/** The rows of a filled database. Authorizations have the numbers from `from`, in the order of their creation. */
export type Filling = {
  people: number
  from: number
  authorizations: number
  /** Each authorization whose number is a multiple of this has an unspent code; 0 for none. The others have been refreshed. */
  codesEvery: number
  /** The authorizations were created evenly over this time before now; none expires within the next year. */
  days: number
}

/** Which authorizations a measurement needs: `newCodes` has codes that were issued just before it. */
export type Wanted = 'codes' | 'newCodes' | 'refreshTokens'

export type Kind = 'person' | 'sub' | 'id' | 'request' | 'session' | 'code' | 'refresh'

/**
 * Returns the secret of one kind and number: 43 characters of base64url, which look random. It can be calculated again,
 * so that the benchmark knows the token of each of millions of rows. PostgreSQL calculates the same (`fill-postgres.ts`).
 */
export const secretOf = (kind: Kind, number: number): string => hash('sha256', kind + number, 'base64url')

/** Returns the id of one kind and number, in the form of 16 random bytes. */
export const idOf = (kind: Kind, number: number): string => secretOf(kind, number).slice(0, 22)

/** Returns an id that sorts by its number, as the ids of authorizations and requests sort by their time. */
export const orderedIdOf = (kind: Kind, number: number): string =>
  String(number).padStart(8, '0') + secretOf(kind, number).slice(0, 14)

/** A prime, so that consecutive authorizations belong to scattered people and each person has equally many. */
export const scatter = 999_983

export const personOf = (number: number, people: number): number => (number * scatter) % people

export const hasCode = (number: number, { codesEvery }: Filling): boolean => codesEvery > 0 && number % codesEvery === 0

export const codeOf = (number: number): string => writeCode(orderedIdOf('request', number), secretOf('code', number))

export const refreshTokenOf = (secrets: DerivedKeys, number: number): string =>
  writeRefreshToken(secrets, { authorizationId: orderedIdOf('id', number), secret: secretOf('refresh', number) })

/**
 * Returns `count` authorizations that no earlier draw returned: 80 % from the newest tenth, and 20 % from all. The result
 * has either those with an unspent code or the others.
 */
export function draw(filling: Filling, count: number, wanted: Wanted, used: Set<number>): number[] {
  const { from, authorizations } = filling
  const drawn: number[] = []
  for (let tries = 0; drawn.length < count; tries++) {
    if (tries > 100 * count) throw new Error('The database has too few authorizations for the measurement.')
    const isNew = Math.random() < 0.8
    const part = isNew ? 0.9 + Math.random() * 0.1 : Math.random()
    const number = from + Math.floor(part * authorizations)
    if (hasCode(number, filling) !== (wanted === 'codes') || used.has(number)) continue
    used.add(number)
    drawn.push(number)
  }
  return drawn
}

/** Returns the same numbers in random order (the shuffle of Fisher and Yates). */
export function inRandomOrder(numbers: readonly number[]): number[] {
  const mixed = [...numbers]
  for (let last = mixed.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1))
    ;[mixed[last], mixed[other]] = [mixed[other] as number, mixed[last] as number]
  }
  return mixed
}
