import { expect, it } from 'vitest'
import { skeletonOf } from './look-alike.ts'

it.each([
  ['Acme', 'ACME'],
  ['Acme', 'A c-m.e'],
  ['Akme', 'Акме'],
  ['Modern', 'Modem'],
  ['lnd', 'Ind'],
  ['Café', 'Cafe'],
  ['Acme', 'Acme\u3164'],
  ['Acme', 'ᴀᴄᴍᴇ'],
  ['Agave', 'ɑɡɑve'],
])('gives %s and %s the same skeleton', (one, other) => expect(skeletonOf(one)).toBe(skeletonOf(other)))

it('gives names in other scripts skeletons of their own', () => {
  expect(new Set(['阿克梅', '株式会社', 'Acme', 'Bcme'].map(skeletonOf)).size).toBe(4)
})
