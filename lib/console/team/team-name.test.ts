import { expect, it } from 'vitest'
import { teamNameProblem } from './team-name.ts'

it.each([
  'Acme',
  'Acme & Söhne',
  '株式会社アクメ',
  '阿克梅',
  'Акме',
  'Acme 株式会社',
  'A',
  '3M',
  'Security Cameras Ltd',
])('accepts %s', (name) => expect(teamNameProblem(name, 'Postern')).toBeUndefined())

it.each([
  ['', 'missing'],
  ['   ', 'missing'],
  ['x'.repeat(81), 'long'],
  ['Ac\u0000me', 'characters'],
  ['Ac\u202eme', 'characters'],
  ['Ac\nme', 'characters'],
  ['…', 'characters'],
  ['Аcme', 'scripts'],
  ['Αcme', 'scripts'],
  ['Postern', 'reserved'],
  ['P0STERN', 'reserved'],
  ['Postem', 'reserved'],
  ['Postern Support', 'reserved'],
  ['The Postern Team', 'reserved'],
  ['P o s t e r n', 'reserved'],
  ['Support', 'reserved'],
  ['Security Team', 'reserved'],
  ['Official Account Support', 'reserved'],
])('rejects %j as %s', (name, problem) => expect(teamNameProblem(name, 'Postern')).toBe(problem))
