import { freePorts } from '#lib/testing/process/free-ports'
import { startProcess } from '../process.ts'
import type { Contestant } from '../server.ts'

/** The bytes of Postern's documents without settings, as of 2026-11-29. */
const bytes = { discovery: 2633, jwks: 667 }

/** What no server can beat: bare node:http with the unavoidable work of each endpoint (floor-process.ts). */
export const floor: Contestant = {
  name: 'floor',
  async start() {
    const [port = 0] = await freePorts(1)
    const server = await startProcess(
      ['bench/peers/floor-process.ts'],
      `http://localhost:${port}/fixed/100`,
      (folder) => ({
        PORT: String(port),
        FOLDER: folder,
      }),
    )
    return {
      process: server,
      port,
      host: `localhost:${port}`,
      endpoints: {
        ...{
          discovery: `/fixed/${bytes.discovery}`,
          jwks: `/fixed/${bytes.jwks}`,
          token: '/token',
          userinfo: '/read',
          introspection: '/read',
        },
        ...{ push: '/token', authorization: '/fixed/100' },
      },
      signIn: '/fixed/100',
      prepare: async (_, count) => ({
        values: Array.from({ length: count }, (_, index) => `value-${index}`),
        client: { id: 'bench', secret: 'bench' },
        redirectUri: 'https://app.example/callback',
        scope: 'openid',
        verifier: 'a'.repeat(43),
      }),
    }
  },
}
