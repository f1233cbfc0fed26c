import { expect, it } from 'vitest'
import { makeAdmission } from './admission.ts'

const begin = (admission: ReturnType<typeof makeAdmission>, count: number, networkOf: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => admission.begin(networkOf(index), 'operator')).filter(
    (end) => end !== undefined,
  )

it('leaves room for all other mail during mail to the operator from many networks', () => {
  const admission = makeAdmission(() => false)
  const ends = begin(admission, 60, (index) => `network-${index}`)
  expect(ends).toHaveLength(50)
  expect(admission.begin('another', 'forward')).toBeDefined()
  ends[0]?.()
  expect(admission.begin('another', 'operator')).toBeDefined()
})

it('leaves room for others when one customer uses a whole /56 or /48', () => {
  const admission = makeAdmission(() => false)
  const open = (count: number, address: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => admission.begin(address(index), 'forward')).filter(Boolean).length
  expect(open(60, () => '2001:db8:5:700::1')).toBe(50)
  expect(open(600, (index) => `2001:db8:5:7${(16 + (index % 200)).toString(16)}::1`)).toBe(450)
  expect(open(900, (index) => `2001:db8:5:${(16 + (index % 80)).toString(16)}00::1`)).toBe(0)
  expect(open(60, () => '2001:db8:6::1')).toBe(50)
})

it('leaves room for mail from other networks to the operator', () => {
  const admission = makeAdmission(() => false)
  expect(begin(admission, 6, () => 'one')).toHaveLength(5)
  expect(admission.begin('another', 'operator')).toBeDefined()
})
