import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { type Browser, openBrowser } from '#lib/testing/browser/browser'
import { flowProvision, placeOf } from '#lib/testing/browser/flow'
import { sharePostern } from '#lib/testing/process/share-postern'

const postern = sharePostern({ kind: 'sqlite', provision: flowProvision })

function database() {
  const { database } = postern.context
  if (database.kind !== 'sqlite') throw new Error('This test is about SQLite.')
  return database.sqlite.driver
}

/** Returns the commits in the log: the frames that hold the size of the database (https://sqlite.org/fileformat2.html#the_write_ahead_log). */
function commitsInLog(): number {
  const log = readFileSync(`${database().name}-wal`)
  const [header, frameHeader, page] = [32, 24, Number(database().pragma('page_size', { simple: true }))]
  let commits = 0
  for (let at = header; at < log.length; at += frameHeader + page) if (log.readUInt32BE(at + 4) > 0) commits += 1
  return commits
}

const form = { username: 'ada', password: 'correct horse battery', to: '/account' }

/** Signs in, and returns how many commits that made. */
async function commitsOfSignIn(browser: Browser): Promise<number> {
  database().pragma('wal_checkpoint(TRUNCATE)')
  expect(placeOf(await browser.post('/signin/submit', form))).toBe('/account')
  return commitsInLog()
}

it.each(['198.51.100.7', '2001:db8::7'])(
  'counts an attempt from %s in one commit, and stores the session and takes the counts back in another',
  async (address) => expect(await commitsOfSignIn(openBrowser(postern.context, address))).toBe(2),
)

it('ends the earlier session of the browser in a third commit', async () => {
  const browser = openBrowser(postern.context, '198.51.100.7')
  await commitsOfSignIn(browser)
  expect(await commitsOfSignIn(browser)).toBe(3)
})

it('sends no cookie of a session if the counts cannot be lowered again, and signs in at the next attempt', async () => {
  const { context } = postern
  let isAway = true
  const giveBack: typeof context.attempts.giveBack = async (point, count) => {
    if (isAway) throw new Error('The database is away.')
    return context.attempts.giveBack(point, count)
  }
  const browser = openBrowser({ ...context, attempts: { ...context.attempts, giveBack } }, '198.51.100.8')
  await expect(browser.post('/signin/submit', form)).rejects.toThrow('away')
  expect(browser.cookies()).not.toContain('session')
  isAway = false
  expect(placeOf(await browser.post('/signin/submit', form))).toBe('/account')
  expect(browser.cookies()).toContain('session')
})
