import pg from 'pg'
import { columns, type Fixed } from './rows.ts'
import { type Filling, type Kind, scatter } from './values.ts'

/** Runs `work` on a connection, without the indexes of the tables, and builds those in the end. */
export async function inBulk(pool: pg.Pool, tables: string[], work: (db: pg.Client) => Promise<void>) {
  const db = await connect(pool)
  try {
    await db.query("SET maintenance_work_mem = '1GB'")
    const names = tables.map((table) => `'"${table}"'::regclass`).join(', ')
    const { rows: keys } = await db.query(`SELECT conrelid::regclass AS "table", conname AS name,
      pg_get_constraintdef(oid) AS sql FROM pg_constraint WHERE conrelid IN (${names}) AND contype IN ('p', 'f')
      ORDER BY contype = 'p'`)
    const { rows: indexes } = await db.query(`SELECT indexrelid::regclass AS name, pg_get_indexdef(indexrelid) AS sql
      FROM pg_index WHERE indrelid IN (${names}) AND NOT indisprimary`)
    const { rows: inbound } = await db.query(`SELECT conrelid::regclass AS "table", conname AS name,
      pg_get_constraintdef(oid) AS sql FROM pg_constraint WHERE confrelid IN (${names}) AND contype = 'f'
      AND conrelid NOT IN (${names})`)
    for (const { table, name } of [...inbound, ...keys])
      await db.query(`ALTER TABLE ${table} DROP CONSTRAINT "${name}"`)
    for (const { name } of indexes) await db.query(`DROP INDEX ${name}`)
    await work(db)
    for (const { table, name, sql } of [
      ...keys.filter(isPrimary),
      ...keys.filter((key) => !isPrimary(key)),
      ...inbound,
    ])
      await db.query(`ALTER TABLE ${table} ADD CONSTRAINT "${name}" ${sql}`)
    for (const { sql } of indexes) await db.query(sql)
    await db.query('VACUUM ANALYZE')
    await db.query('CHECKPOINT')
  } finally {
    await db.end()
  }
}

/** Opens a connection without the time limits of the pool. */
export async function connect(pool: pg.Pool): Promise<pg.Client> {
  const db = new pg.Client({ connectionString: pool.options.connectionString })
  await db.connect()
  return db
}

const isPrimary = ({ sql }: { sql: string }) => sql.startsWith('PRIMARY KEY')

/** Hashes a text as `sha256` of lib/crypto/hash.ts. */
const hashOf = (text: string) =>
  `rtrim(translate(encode(sha256(convert_to(${text}, 'UTF8')), 'base64'), '+/', '-_'), '=')`
/** Calculates what `secretOf` and `idOf` of values.ts do. */
const secretOf = (kind: Kind, number: string) => hashOf(`'${kind}' || ${number}`)
const idOf = (kind: Kind, number: string) => `left(${secretOf(kind, number)}, 22)`

const orderedIdOf = (kind: Kind) => `lpad(n::text, 8, '0') || left(${secretOf(kind, 'n')}, 14)`

export async function insertPeople(db: pg.Client, { people }: Filling, { client, now, scopes }: Fixed) {
  const at = `'${now.toISOString()}'::timestamp`
  const everyone = `generate_series(0, ${people - 1}) n`
  await db.query(`INSERT INTO "Person" (id, username, email, name, nickname, biography, gender, birthdate, region, locale,
    "profileUpdatedAt", "createdAt") SELECT ${idOf('person', 'n')}, 'person-' || n,
    'person-' || n || '@example.org', 'Person ' || n, 'p' || n, '', '', '', '', 'en', ${at}, ${at} FROM ${everyone}`)
  await db.query(`INSERT INTO "Subject" ("personId", "teamId", sub, "createdAt")
    SELECT ${idOf('person', 'n')}, '${client.teamId}', ${secretOf('sub', 'n')}, ${at} FROM ${everyone}`)
  await db.query(`INSERT INTO "Consent" ("personId", "appId", granted, declined, "emailChoice", "createdAt", "updatedAt")
    SELECT ${idOf('person', 'n')}, '${client.id}', '${scopes}', '', 'regular', ${at}, ${at}
    FROM ${everyone}`)
}

const chunk = 500_000

export async function insertAuthorizations(db: pg.Client, filling: Filling, fixed: Fixed) {
  const { people, from, authorizations, codesEvery, days } = filling
  const { client, redirectUri, scopes, challenge, now } = fixed
  const person = `((n::bigint * ${scatter}) % ${people})`
  const unspent = codesEvery > 0 ? `n % ${codesEvery} = 0` : 'false'
  const spent = (value: string) => `CASE WHEN ${unspent} THEN NULL ELSE ${value} END`
  const age = `(1 - (n - ${from})::float8 / ${authorizations}) * interval '${days} days'`
  const later = `created + interval '365 days'`
  const values = [
    ...[orderedIdOf('id'), orderedIdOf('request'), `'${client.id}'`],
    ...[idOf('person', person), secretOf('session', 'n')],
    ...[secretOf('sub', person), `'${scopes}'`, `'regular'`, `'${redirectUri}'`, `substr(request, 22)`],
    ...[`'${challenge}'`, 'created', 'false', `'1'`, `'pwd'`, `substr(request, 11, 22)`],
    ...[
      hashOf(`${orderedIdOf('request')} || '.' || ${secretOf('code', 'n')}`),
      `CASE WHEN ${unspent} THEN ${later} ELSE created END`,
      spent('created'),
    ],
    ...[spent(hashOf(secretOf('refresh', 'n'))), spent('0'), spent(later), spent(later), 'created', later],
  ]
  for (let at = from; at < from + authorizations; at += chunk) {
    const last = Math.min(at + chunk, from + authorizations) - 1
    await db.query(`INSERT INTO "Authorization" (${columns.map((column) => `"${column}"`)})
      SELECT ${values} FROM (SELECT n, ${secretOf('request', 'n')} AS request,
        date_trunc('milliseconds', '${now.toISOString()}'::timestamp - ${age}) AS created
        FROM generate_series(${at}, ${last}) n) AS numbered`)
  }
}
