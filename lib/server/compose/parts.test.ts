import { expect, it } from 'vitest'
import { makeLog } from '#lib/server/observe/log'
import { reportJournal } from './parts.ts'

it('logs at the start that the deletion journal cannot be written', () => {
  const lines: string[] = []
  const log = makeLog('info', { write: (line) => void lines.push(line) })
  reportJournal({ deletionJournal: undefined }, log)
  reportJournal({ deletionJournal: '/tmp/deleted' }, log)
  expect(lines).toEqual([])
  reportJournal({ deletionJournal: '/none/deleted' }, log)
  expect(lines).toEqual([expect.stringContaining('DELETION_JOURNAL /none/deleted cannot be written (ENOENT)')])
})
