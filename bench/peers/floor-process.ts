// The process of the lower bound: bare node:http, one SQLite commit and two ES256 signatures for each POST, one request
// at a time.
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { createServer } from 'node:http'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { fromDer } from '#lib/crypto/ecdsa-signature'

const { PORT: port = '', FOLDER: folder = '' } = process.env
const database = new Database(join(folder, 'floor.db'))
database.pragma('journal_mode = WAL')
database.pragma('synchronous = FULL')
database.exec('CREATE TABLE entry (id INTEGER PRIMARY KEY, hash BLOB NOT NULL)')
const write = database.prepare(
  'INSERT INTO entry (id, hash) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET hash = excluded.hash',
)
const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const header = base64url({ alg: 'ES256', typ: 'JWT', kid: 'floor' })
let counter = 0

createServer({ keepAliveTimeout: 65_000 }, (incoming, outgoing) => {
  let form = ''
  incoming.on('data', (chunk) => {
    form += chunk
  })
  incoming.on('end', () => {
    const content = incoming.method === 'POST' ? JSON.stringify(answer(form)) : 'ready'
    outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(content) })
    outgoing.end(content)
  })
}).listen(Number(port), '127.0.0.1')

function answer(form: string) {
  const scope = new URLSearchParams(form).get('scope') ?? 'openid'
  const refreshToken = randomBytes(32).toString('base64url')
  write.run(counter++ % 1000, randomBytes(32))
  const claims = { iss: `http://localhost:${port}`, sub: refreshToken, aud: 'bench', iat: 1, exp: 301, scope }
  return {
    access_token: signJwt({ ...claims, jti: refreshToken }),
    refresh_token: refreshToken,
    id_token: signJwt(claims),
    token_type: 'Bearer',
    expires_in: 300,
    scope,
  }
}

function signJwt(claims: object): string {
  const text = `${header}.${base64url(claims)}`
  return `${text}.${fromDer(sign('sha256', Buffer.from(text), key)).toString('base64url')}`
}

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
