import { freePorts } from '#lib/testing/process/free-ports'
import { startProcess } from '../process.ts'
import type { Contestant } from '../server.ts'

/** The lower bound of a token response: parse the form, sign twice, commit once, nothing else. */
export const floor: Contestant = {
  name: 'floor: node:http, 1 commit, 2 signatures',
  async start() {
    const [port = 0] = await freePorts(1)
    const path = '/token'
    const server = await startProcess(['bench/peers/floor-process.ts'], `http://localhost:${port}/`, (folder) => ({
      PORT: String(port),
      FOLDER: folder,
    }))
    return {
      process: server,
      port,
      host: `localhost:${port}`,
      endpoints: {
        ...{ discovery: path, jwks: path, token: path, userinfo: path, introspection: path },
        ...{ push: path, authorization: path },
      },
      signIn: path,
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
