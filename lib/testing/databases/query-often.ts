import { setImmediate as nextTurn } from 'node:timers/promises'
import { openPool } from '#lib/db/engine/postgres'
import { timeoutsFor } from '#lib/db/engine/timeouts'
import { makeTrouble } from '#lib/db/engine/trouble'

/** Reads rows of 20 texts many times, for a test that counts how much of them small garbage collections leave in memory. */
const [url = '', rows = '', by = ''] = process.argv.slice(2)
const pool = openPool(url, timeoutsFor(10_000, 2), makeTrouble())
const texts = Array.from({ length: 20 }, (_, at) => `'text ' || row AS text${at}`)
const text = `SELECT ${texts.join(', ')} FROM generate_series(1, 20) row`
const client = by === 'a connection' ? await pool.connect() : undefined
for (let read = 0; read < Number(rows); read += 20) {
  await (client ?? pool).query({ name: 'rows', text })
  await nextTurn()
}
client?.release()
await pool.end()
