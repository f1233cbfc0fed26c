import { randomBytes } from 'node:crypto'
import { runCommandLine } from '#lib/cli/run'
import { openResolver } from '#lib/relay/dns/resolver'

/** The person to try the demo with; an evaluation runs on loopback only, so there is nothing to keep secret. */
export const demoPerson = { username: 'ada', password: 'the small gate beside the big one' }

export const demoApp = { clientId: 'demo-app', clientSecret: 'a-secret-for-evaluations-only' }

/** Makes the demo's team, app and person, the way an operator would: by `cli apply`. */
export async function seedDemo(env: Record<string, string | undefined>, demoUrl: string): Promise<void> {
  // Another process that starts now may have been first: then all of it is there, and nothing is left to do.
  await applyDemo(env, demoUrl).catch(() => applyDemo(env, demoUrl))
}

async function applyDemo(env: Record<string, string | undefined>, demoUrl: string): Promise<void> {
  let answer = ''
  const status = await runCommandLine(['apply', '-', '--json'], {
    env,
    now: new Date(),
    random: randomBytes,
    resolver: openResolver(),
    readStdin: async () => Buffer.from(JSON.stringify(declaration(demoUrl))),
    stdout: (text) => {
      answer += text
    },
    stderr: () => undefined,
    isTerminal: false,
  })
  if (status !== 0) throw new Error(`The demo could not be set up: ${answer}`)
}

const declaration = (demoUrl: string) => ({
  teams: [
    {
      id: 'demo-team',
      name: 'The Demo Team',
      apps: [
        {
          client_id: demoApp.clientId,
          name: 'Demo App',
          kind: 'confidential',
          client_secret: demoApp.clientSecret,
          redirect_uris: [`${demoUrl}/callback`],
          scopes: ['openid', 'name', 'nickname', 'picture', 'preferred_username', 'locale', 'email'],
          email: 'optional',
          homepage: demoUrl,
        },
      ],
    },
  ],
  people: [{ ...demoPerson, email: 'ada@example.org', name: 'Ada Lovelace', nickname: 'Ada', locale: 'en' }],
})
