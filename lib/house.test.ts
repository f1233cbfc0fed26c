import { describe, expect, it } from 'vitest'
import { shareFlow } from '#lib/testing/browser/flow'
import { getTokens } from '#lib/testing/oauth/get-tokens'
import { appMessage, openRelayTest } from '#lib/testing/relay/relay'
import { structure } from '#lib/testing/tree/figures'
import { filesEntered } from '#lib/testing/tree/files-entered'

const start = shareFlow()

/**
 * The most files of lib/ that a flow may enter. A change that needs more raises the number and gives the reason.
 * Authorization: 67 since requests may be pushed; `check-request.ts` finds where the parameters are.
 * DPoP (RFC 9449): `token-proof.ts` reads the proof of a token request, `code-binding.ts` the key of an authorization.
 * `requested-scopes.ts` and `claims-parameter.ts` read the scopes and claims of a request, `context-class.ts` its class.
 * `loopback.ts`: an approval records whether the app has to ask for consent at each sign-in.
 * `resource.ts` reads the APIs that a request names.
 * `fill-in-name.ts` and `profile.ts`: the consent page asks a person without a name for one. `time-zone.ts`: a letter about
 * a new sign-in has the time of the person's browser.
 * `ecdsa-signature.ts` converts the signatures of tokens from DER, because Node converts them slowly.
 * `brand-texts.ts` and `letter-colours.ts` find the texts and colours of the company.
 * `letter-words.ts`: the words that letters share, among them the one about a new sign-in.
 * `place.ts` names the country or city of the person's device in a letter, and `owner-lookups.ts` the
 * language that the person chose for the pages.
 * `lean.ts` holds requests and responses at a tenth of the cost of the real ones.
 * `token-pair.ts` signs the two tokens of an answer, `signing-thread.ts` in another thread, and `signing-ring.ts` is the
 * memory that both threads share.
 * `random.ts` makes the ids of requests and authorizations, which sort by their time.
 * Mail: `localized-name.ts` and `messages.ts` find the name of the app in the language of the person.
 */
const most = { 'authorize to tokens': 87, refresh: 28, 'mail to an alias': 60 }

describe('the structure', () => {
  it('keeps the goals of CONTRIBUTING.md', () => {
    const figures = structure()
    if (process.env.HOUSE) console.table(figures)
    expect(figures).toMatchObject({
      'files at the root of lib/': 0,
      'folders with more than 15 files': 0,
      'imports that the table forbids': 0,
      'circles of files': 0,
      'files below server/ that import the whole Context': 0,
    })
  })
})

describe('the number of files entered', () => {
  it('stays within its limit for an authorization request that ends in tokens', async () => {
    const prepare = async () => {
      const flow = await start()
      // Its timer would run during each of the runs on a busy machine.
      await flow.context.usageWriter.close()
      return flow
    }
    const entered = await filesEntered(prepare, async ({ browser, tokens }) => {
      const consent = await browser.signIn(await browser.authorize({ scope: 'openid name email' }))
      const back = await browser.decide(consent, { scope: ['name'], email_choice: 'hidden' })
      expect(await tokens(back)).toHaveProperty('access_token')
    })
    expectAtMost('authorize to tokens', entered)
  })

  it('stays within its limit for a refresh', async () => {
    const { token, ...postern } = await start()
    const prepare = () => getTokens({ token, ...postern })
    const entered = await filesEntered(prepare, async ({ refresh_token }) => {
      const answer = await token({ grant_type: 'refresh_token', refresh_token })
      expect(answer.status).toBe(200)
    })
    expectAtMost('refresh', entered)
  })

  it('stays within its limit for a mail to an alias', async () => {
    const { send, hop, alias } = await openRelayTest()
    const orders = ['7', '8', '9', '10', '11', '12', '13'].map((order) =>
      appMessage(alias).replaceAll(/order-7|Order 7/g, `order-${order}`),
    )
    const entered = await filesEntered(
      async () => orders.pop() ?? '',
      (message) => send({ message }),
    )
    expect(hop.arrived).toHaveLength(7)
    expectAtMost('mail to an alias', entered)
  })
})

function expectAtMost(flow: keyof typeof most, entered: string[]): void {
  if (process.env.HOUSE) console.log(`${flow}: ${entered.length}\n  ${entered.join('\n  ')}`)
  expect(entered.length, entered.join('\n')).toBeLessThanOrEqual(most[flow])
}
