// The process of the floor, which no server can beat: bare node:http and the unavoidable work of an endpoint, without any
// check. GET answers a fixed text of the length in its path, or one row read by its key. POST answers tokens: two ES256
// signatures in a thread, beside one durable commit that all requests of a turn of the event loop share.
import { generateKeyPairSync } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { random } from '#lib/crypto/random'
import { openSigningThread } from '#lib/keys/signing-thread'
import { encodeText } from '#lib/keys/token-pair'
import { endOfTurn } from '#lib/queue/end-of-turn'

const { PORT: port = '', FOLDER: folder = '' } = process.env
const rows = 1000
const database = new Database(join(folder, 'floor.db'))
database.pragma('journal_mode = WAL')
database.pragma('synchronous = FULL')
database.exec('CREATE TABLE entry (id INTEGER PRIMARY KEY, content TEXT NOT NULL)')
const update = database.prepare('UPDATE entry SET content = ? WHERE id = ?')
const read = database.prepare('SELECT content FROM entry WHERE id = ?')
const insert = database.prepare('INSERT INTO entry (id, content) VALUES (?, ?)')
const [begin, commit] = [database.prepare('BEGIN IMMEDIATE'), database.prepare('COMMIT')]
const profile = JSON.stringify({ sub: 'x'.repeat(43), active: true, name: 'Person', scope: 'openid name' })
begin.run()
for (let id = 0; id < rows; id++) insert.run(id, profile)
commit.run()

const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const header = encodeText(JSON.stringify({ alg: 'ES256', typ: 'JWT', kid: 'floor' }))
const signatures = openSigningThread()
const start = JSON.stringify({ issuer: `http://localhost:${port}`, crv: 'P-256' })
const fixed = new Map<string, string>()
let counter = 0
let waiting: (() => void)[] = []

createServer({ keepAliveTimeout: 65_000 }, (incoming, outgoing) => {
  const { url = '' } = incoming
  if (url.startsWith('/fixed/')) return void send(outgoing, fixedText(url))
  incoming.resume()
  incoming.on('end', () => {
    if (url === '/token') return answerToken(outgoing)
    const { content } = read.get(counter++ % rows) as { content: string }
    void send(outgoing, content)
  })
}).listen(Number(port), '127.0.0.1')

/** Returns the text of `/fixed/LENGTH`, which is made once. */
function fixedText(url: string): string {
  const text = fixed.get(url) ?? start.padEnd(Number(url.slice('/fixed/'.length)))
  fixed.set(url, text)
  return text
}

function answerToken(outgoing: ServerResponse) {
  const refreshToken = random(32).toString('base64url')
  if (waiting.length === 0) setImmediate(settle)
  const claims = {
    iss: `http://localhost:${port}`,
    sub: refreshToken,
    aud: 'bench',
    iat: 1,
    exp: 301,
    scope: 'openid',
  }
  const access = `${header}.${encodeText(JSON.stringify({ ...claims, jti: refreshToken }))}`
  const collect = signatures.begin({ access, idHeader: header, idClaims: JSON.stringify(claims) }, 'floor', key)
  waiting.push(() => {
    const tokens = collect()
    const answer = {
      access_token: tokens.access,
      refresh_token: refreshToken,
      id_token: tokens.id,
      token_type: 'Bearer',
      expires_in: 300,
      scope: 'openid',
    }
    write(outgoing, JSON.stringify(answer))
  })
}

/** Writes the rows of the waiting requests in one commit, and answers them. */
function settle() {
  const answers = waiting
  waiting = []
  begin.run()
  for (const _ of answers) update.run(profile, counter++ % rows)
  commit.run()
  for (const answer of answers) answer()
}

/** Sends an answer together with the others of the turn, so that they wake the client once (decision 0065). */
async function send(outgoing: ServerResponse, content: string) {
  await endOfTurn()
  write(outgoing, content)
}

/** The heads of this second by the length of the answer, which Node has built; a head is used again as in decision 0073. */
const heads = new Map<number, string>()
setInterval(() => heads.clear(), 1000).unref()

function write(outgoing: ServerResponse & { _header?: string }, content: string) {
  const length = Buffer.byteLength(content)
  const head = heads.get(length)
  if (head) outgoing._header = head
  else {
    outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': length })
    heads.set(length, String(outgoing._header))
  }
  outgoing.end(content)
}
