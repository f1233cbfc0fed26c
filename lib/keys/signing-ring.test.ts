import { expect, it } from 'vitest'
import { claim, collect, finish, makeRing, post, signOthersMeanwhile, slots } from './signing-ring.ts'

const unsigned = (name: string, rest = '') => ({
  access: `access.${name}`,
  idHeader: 'id',
  idClaims: `{"n":"${rest}"}`,
})
const signed = (name: string) => ({ access: `access.${name}.signature`, id: `id.${name}.signature` })

it('returns a pair that was signed, once', () => {
  const ring = makeRing()
  expect(post(ring, 3, unsigned('a', 'Zoë 山田'))).toBe(true)
  expect(claim(ring, 2)).toBeUndefined()
  expect(claim(ring, 3)).toEqual(unsigned('a', 'Zoë 山田'))
  expect(claim(ring, 3)).toBeUndefined()
  finish(ring, 3, signed('a'))
  expect(claim(ring, 3)).toBeUndefined()
  expect(collect(ring, 3)).toEqual(signed('a'))
})

it('takes an unclaimed pair back, so that only the main thread signs it', () => {
  const ring = makeRing()
  post(ring, 0, unsigned('a'))
  expect(collect(ring, 0)).toBeUndefined()
  expect(claim(ring, 0)).toBeUndefined()
})

it('returns undefined while the thread is signing, and never returns its late tokens for a later pair', () => {
  const ring = makeRing()
  post(ring, 0, unsigned('slow'))
  claim(ring, 0)
  expect(collect(ring, 0)).toBeUndefined()
  expect(post(ring, 0, unsigned('later'))).toBe(false)
  finish(ring, 0, signed('slow'))
  expect(post(ring, 0, unsigned('later'))).toBe(true)
  expect(collect(ring, 0)).toBeUndefined()
})

it.each(['before it is claimed', 'after it is signed'])('replaces an uncollected pair %s', (when) => {
  const ring = makeRing()
  post(ring, 0, unsigned('dropped'))
  if (when === 'after it is signed') {
    claim(ring, 0)
    finish(ring, 0, signed('dropped'))
  }
  post(ring, 0, unsigned('later'))
  expect(claim(ring, 0)).toEqual(unsigned('later'))
})

it('refuses a pair whose signed tokens may exceed a slot, by its bytes', () => {
  const ring = makeRing()
  expect(post(ring, 0, unsigned('a', 'x'.repeat(4000)))).toBe(true)
  expect(post(ring, 0, unsigned('a', '山'.repeat(1400)))).toBe(false)
})

it('signs the newest waiting pairs for as long as the thread signs the needed one', () => {
  const ring = makeRing()
  // The newest pair is in a slot behind the end of the ring.
  const [needed, taken, older, newer, newest] = [slots - 2, slots - 1, 0, 1, 2]
  for (const slot of [needed, taken, older, newer, newest]) post(ring, slot, unsigned(`${slot}`))
  for (const slot of [needed, taken]) claim(ring, slot)
  const here: string[] = []
  const sign = ({ access }: { access: string }) => {
    here.push(access)
    if (here.length === 2) finish(ring, needed, signed(`${needed}`))
    return { access: `${access}.signature`, id: `id.${access.slice('access.'.length)}.signature` }
  }
  signOthersMeanwhile(ring, needed, newest, sign)
  expect(here).toEqual([`access.${newest}`, `access.${newer}`])
  signOthersMeanwhile(ring, taken, newest, sign)
  expect(here).toEqual([`access.${newest}`, `access.${newer}`, `access.${older}`])
  for (const slot of [needed, older, newer, newest]) expect(collect(ring, slot)).toEqual(signed(`${slot}`))
})

/** A needed pair that the thread never finishes, and three that wait. */
function standstill() {
  const ring = makeRing()
  for (const slot of [0, 1, 2, 3]) post(ring, slot, unsigned(`${slot}`))
  claim(ring, 0)
  return ring
}

it('stops after five milliseconds if the thread stands still, and leaves the other pairs to their requests', () => {
  const ring = standstill()
  const here: string[] = []
  signOthersMeanwhile(ring, 0, 3, ({ access }) => {
    here.push(access)
    for (const until = performance.now() + 5; performance.now() < until; );
    return signed('3')
  })
  expect(here).toEqual(['access.3'])
  expect([1, 2, 3].map((slot) => collect(ring, slot))).toEqual([undefined, undefined, signed('3')])
})

it('leaves a pair that cannot be signed to its own request', () => {
  const ring = standstill()
  const fail = () => {
    throw new Error('The key is broken.')
  }
  expect(() => signOthersMeanwhile(ring, 0, 3, fail)).not.toThrow()
  expect(claim(ring, 3)).toEqual(unsigned('3'))
  expect(claim(ring, 2)).toEqual(unsigned('2'))
})
