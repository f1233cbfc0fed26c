import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { deletionJournal, journalFault, readJournals } from './deletion-journal.ts'

function newFile(content = '') {
  const folder = mkdtempSync(join(tmpdir(), 'postern-journal-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'journal')
  if (content) writeFileSync(file, content)
  return file
}

const at = '2026-11-23T00:00:00.000Z'
const later = '2026-11-23T00:00:01.000Z'
const lines = (...endings: object[]) => newFile(endings.map((one) => `\n${JSON.stringify(one)}\n`).join(''))

it('fails when the line does not fit on the disk, although the beginning fits', () => {
  const file = newFile('x'.repeat(1000))
  const program = `const [, file, module] = process.argv
    const { deletionJournal } = await import(module)
    deletionJournal(file)({ at: '${at}', person: 'ada' })`
  const module = new URL('deletion-journal.ts', import.meta.url).href
  // A limit of 1,024 bytes a file: the first write succeeds with 24 bytes.
  const limited = `ulimit -f 1 && exec "$0" --input-type=module -e "$1" "$2" "$3"`
  const args = ['-c', limited, process.execPath, program, file, module]
  const { status, stderr } = spawnSync('bash', args, { encoding: 'utf8' })
  expect([status, stderr]).toEqual([1, expect.stringContaining('EFBIG')])
})

it('reads the people and keys that it wrote, after a torn line too', async () => {
  const file = newFile('{"at":"2026')
  deletionJournal(file)({ at, person: 'ada' })
  deletionJournal(file)({ at, leakedKey: 'k1' })
  expect(await readJournals([file])).toEqual({ people: ['ada'], leakedKeys: ['k1'], unreadable: 1 })
})

it('forgets a person who was kept, unless a later line says that they were erased', async () => {
  const kept = lines({ at, person: 'ada' }, { at, kept: 'ada' }, { at, person: 'bob' })
  expect((await readJournals([kept])).people).toEqual(['bob'])
  const again = lines({ at: later, person: 'ada' })
  expect((await readJournals([again, kept])).people).toEqual(['ada', 'bob'])
})

it('counts lines that say nothing, and throws for a file that is not there', async () => {
  const file = newFile('[]\n{}\nnull\n"x"\n{"person":7}\n\n')
  expect(await readJournals([file])).toEqual({ people: [], leakedKeys: [], unreadable: 5 })
  await expect(readJournals([`${file}.none`])).rejects.toThrow('ENOENT')
})

it('throws when the file cannot be written, so that nobody is erased without a line', () => {
  expect(() => deletionJournal('/dev/full')({ at, person: 'ada' })).toThrow('ENOSPC')
  const file = newFile('x')
  expect(() => deletionJournal(join(file, 'inside'))({ at, person: 'ada' })).toThrow('ENOTDIR')
  expect(readFileSync(file, 'utf8')).toBe('x')
})

it('finds out whether the file can be written, and creates nothing', () => {
  const file = newFile()
  expect([journalFault(undefined), journalFault(file), existsSync(file)]).toEqual([undefined, undefined, false])
  deletionJournal(file)({ at, person: 'ada' })
  expect(journalFault(file)).toBeUndefined()
  expect(journalFault(join(file, 'inside'))?.message).toContain('cannot be written (ENOTDIR)')
  expect(journalFault(`${file}.none/deleted`)?.message).toContain('cannot be written (ENOENT)')
})
