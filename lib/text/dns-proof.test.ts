import { expect, it } from 'vitest'
import { showsProof } from './dns-proof.ts'

const proof = 'postern-team=acme:Qq3x'

it.each([
  ['alone', [proof]],
  ['among other records', ['v=spf1 -all', '', proof, 'google-site-verification=x']],
  ['in quotes and spaces', [` "${proof}" `]],
  ['in typographic quotes', [`“${proof}”`]],
  ['in another case', [proof.toUpperCase()]],
  ['among thousands of records', [...Array.from({ length: 5000 }, (_, at) => `x${at}`.padEnd(255, 'x')), proof]],
])('finds the proof %s', (_, records) => expect(showsProof(records, proof)).toBe(true))

it.each([
  ['no record', []],
  ['the proof of another team', ['postern-team=other:Qq3x']],
  ['a part of the proof', [proof.slice(0, -1)]],
  ['the proof within a longer record', [`${proof}y`, `x ${proof}`]],
  ['the value without its name', ['acme:Qq3x']],
  // Trimming a record of 64 KB takes seconds, and its sender chooses it.
  ['the proof in thousands of quotes', [`${'"'.repeat(60_000)}${proof}`, `x${'"'.repeat(60_000)}x`]],
])('does not take %s for the proof', (_, records) => expect(showsProof(records, proof)).toBe(false))
