import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

it('keeps the hidden class of tick objects over a full garbage collection', () => {
  const folder = mkdtempSync(join(tmpdir(), 'postern-ticks-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const log = join(folder, 'maps.log')
  const script = `
    import { Session } from 'node:inspector/promises'
    import { keepTicksFast } from '#lib/server/keep-ticks-fast'
    keepTicksFast()
    const session = new Session()
    session.connect()
    for (let count = 0; count < 3; count++) {
      await session.post('HeapProfiler.collectGarbage')
      await new Promise((resolve) => process.nextTick(resolve))
    }
  `
  const flags = ['--log-maps', '--no-logfile-per-isolate', `--logfile=${log}`]
  execFileSync(process.execPath, [...flags, '--input-type=module', '--eval', script])
  // V8 logs each creation of a hidden class with the line and column of the code that needed it.
  const created = readFileSync(log, 'latin1').matchAll(
    /^map,Transition,(?:\w+,){4}(\d+,\d+),,.*"trigger_async_id_symbol"/gm,
  )
  const places = [...created].map(([, place]) => place)
  expect(places).not.toEqual([])
  expect(places).toEqual([...new Set(places)])
})
