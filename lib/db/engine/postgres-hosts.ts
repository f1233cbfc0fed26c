import pg from 'pg'

/**
 * Returns the URL of the server that accepts writes (`target_session_attrs=read-write`). Asks all servers at once, so
 * that a silent one delays nothing.
 */
export async function findPrimary(urls: string[], patience: number, check = checkPrimary): Promise<string> {
  const [only = ''] = urls
  if (urls.length < 2) return only
  return Promise.any(urls.map((url) => check(url, patience)))
}

/** Returns `checkPrimary` with one connection to each server at a time: a search joins the check of another one. */
function shareChecks(): typeof checkPrimary {
  const running = new Map<string, Promise<string>>()
  return (url, patience) => {
    const shared = running.get(url) ?? checkPrimary(url, patience).finally(() => running.delete(url))
    running.set(url, shared)
    return shared
  }
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

/** A server that has not said within a second whether it is the primary is passed over until the next search. */
const longestSearch = 1000

/**
 * Makes the client class of a pool whose new connections go to the server that accepts writes. The server is searched
 * once; after `forget`, the next connection searches again. `since` gets the time at which each connection was begun.
 */
export function followPrimary(urls: string[], patience: number, since: Map<pg.ClientBase, number>) {
  let found: Promise<string> | undefined
  const servers = new WeakMap<pg.ClientBase, string>()
  const check = shareChecks()
  const search = () => findPrimary(urls, Math.min(patience, longestSearch), check)
  const find = () => {
    found ??= search().catch((fault: unknown) => {
      found = undefined
      throw fault
    })
    return found
  }
  class ClientOfPrimary extends pg.Client {
    override connect(): Promise<pg.Client>
    override connect(callback: Connected): void
    override connect(callback?: Connected) {
      const connected = find().then((url) => this.#connectTo(url))
      return callback ? void connected.then(() => callback(), callback) : connected
    }
    async #connectTo(url: string): Promise<pg.Client> {
      const { hostname, port } = new URL(url)
      servers.set(this, url)
      this.host = hostname.replace(/^\[|\]$/g, '')
      this.port = Number(port || 5432)
      since.set(this, performance.now())
      await super.connect().catch((fault: unknown) => {
        since.delete(this)
        throw fault
      })
      return this
    }
  }
  return {
    Client: ClientOfPrimary,
    forget() {
      found = undefined
    },
    /** Searches again. Returns a function that returns whether a connection leads to another server than the primary. */
    async searchAgain(): Promise<(client: pg.ClientBase) => boolean> {
      const now = await search().catch(() => undefined)
      if (now === undefined) return () => false
      found = Promise.resolve(now)
      return (client) => servers.get(client) !== now
    },
  }
}

type Connected = (fault?: Error) => void
