import pg from 'pg'

/**
 * Returns the URL of the server that accepts writes (`target_session_attrs=read-write`). Asks all servers at once, so
 * that a silent one delays nothing.
 */
export async function findPrimary(urls: string[], patience: number): Promise<string> {
  const [only = ''] = urls
  if (urls.length < 2) return only
  return Promise.any(urls.map((url) => checkPrimary(url, patience)))
}

async function checkPrimary(url: string, patience: number): Promise<string> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: patience, query_timeout: patience })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query('SHOW transaction_read_only')
    if (rows[0].transaction_read_only === 'off') return url
  } finally {
    client.end().catch(() => undefined)
  }
  throw new ReadOnlyServer('This PostgreSQL server is read-only.')
}

class ReadOnlyServer extends Error {
  // PostgreSQL's code of a refused write (read_only_sql_transaction).
  readonly code = '25006'
}

/**
 * Makes the client class of a pool whose new connections go to the server that accepts writes. The server is searched
 * once; after `forget`, the next connection searches again.
 */
export function followPrimary(urls: string[], patience: number) {
  let found: Promise<string> | undefined
  const find = () => {
    found ??= findPrimary(urls, patience).catch((fault: unknown) => {
      found = undefined
      throw fault
    })
    return found
  }
  class ClientOfPrimary extends pg.Client {
    override connect(): Promise<pg.Client>
    override connect(callback: Connected): void
    override connect(callback?: Connected) {
      const aimed = find().then((url) => this.#aimAt(new URL(url)))
      return callback ? void aimed.then(() => super.connect(callback), callback) : aimed.then(() => super.connect())
    }
    #aimAt({ hostname, port }: URL) {
      this.host = hostname.replace(/^\[|\]$/g, '')
      this.port = Number(port || 5432)
    }
  }
  return {
    Client: ClientOfPrimary,
    forget() {
      found = undefined
    },
  }
}

type Connected = (fault: Error) => void
