import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openContext } from '#lib/server/compose/context'
import { readConfig } from '#lib/server/settings/config'

const umask = process.umask()
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'postern-private-'))
  process.umask(0)
})
afterEach(() => {
  process.umask(umask)
  rmSync(folder, { recursive: true, force: true })
})

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
const secrets = ['postern.db', 'postern.db-wal', 'postern.db-shm', 'secret-key']

/** Starts on this data folder, reads the modes of its files while they are open, and stops. */
async function modesIn(dataDir: string) {
  const context = await openContext(readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' }))
  try {
    return secrets.map((name) => modeOf(join(dataDir, name)))
  } finally {
    await context.close()
  }
}

describe('the files of a start', () => {
  it('are readable by their owner only, in an open folder and with any umask', async () => {
    const open = join(folder, 'open')
    mkdirSync(open, { mode: 0o777 })
    expect(await modesIn(open)).toEqual(['600', '600', '600', '600'])
    expect(modeOf(open)).toBe('777')
  })

  it('are in a folder that only their owner can read, if the start creates it', async () => {
    const made = join(folder, 'a/b')
    await modesIn(made)
    expect([modeOf(join(folder, 'a')), modeOf(made)]).toEqual(['700', '700'])
  })

  it('lose the permissions of other users at the next start', async () => {
    await modesIn(folder)
    for (const name of ['postern.db', 'secret-key']) chmodSync(join(folder, name), 0o644)
    expect(await modesIn(folder)).toEqual(['600', '600', '600', '600'])
  })
})
