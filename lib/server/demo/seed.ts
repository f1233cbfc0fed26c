/** The person of the demo. The password is public, because an evaluation is reachable on loopback only. */
export const demoPerson = { username: 'ada', password: 'the small gate beside the big one' }

export const demoApp = { clientId: 'demo-app', clientSecret: 'a-secret-for-evaluations-only' }

/** The path of the demo that the browser returns to after a logout (RP-Initiated Logout 1.0 §3). */
export const signedOutPath = '/signed-out'

/** Applies a declaration as `cli apply` does; throws with the reason on failure. */
export type Apply = (declaration: object) => Promise<void>

/** Creates the demo's team, app and person. */
export async function seedDemo(apply: Apply, demoUrl: string): Promise<void> {
  // Retries once: another process that starts at the same moment may have created them, and then nothing is left to do.
  await apply(declaration(demoUrl)).catch(() => apply(declaration(demoUrl)))
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
          post_logout_redirect_uris: [`${demoUrl}${signedOutPath}`],
          scopes: ['openid', 'name', 'nickname', 'picture', 'preferred_username', 'locale', 'email'],
          email: 'optional',
          homepage: demoUrl,
        },
      ],
    },
  ],
  people: [{ ...demoPerson, email: 'ada@example.org', name: 'Ada Lovelace', nickname: 'Ada', locale: 'en' }],
})
