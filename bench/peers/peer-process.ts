// A peer's process: node peer-process.ts memory|durable. The benchmark requests prepared codes and tokens by messages.
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { StockKind } from '../server.ts'
import { makeMapStore } from './map-store.ts'
import { makeProvider } from './provider.ts'
import { makeSqliteStore } from './sqlite-store.ts'
import { makeStock } from './stock.ts'

const { PORT: port = '', FOLDER: folder = '' } = process.env
const store = process.argv[2] === 'durable' ? makeSqliteStore(join(folder, 'peer.db')) : makeMapStore()
const provider = makeProvider(`http://localhost:${port}`, store)

createServer({ keepAliveTimeout: 65_000 }, provider.callback()).listen(Number(port), '127.0.0.1')

process.on('message', ({ kind, count }: { kind: StockKind; count: number }) => {
  makeStock(provider, store, kind, count).then(
    (stock) => process.send?.(stock),
    (fault: unknown) => {
      console.error(fault)
      process.exit(1)
    },
  )
})
