import { networkFrom } from '#lib/account/activity'
import type { Context } from '#lib/context'
import { sha256 } from '#lib/oauth/pkce'
import { countedAs } from './known-browser.ts'

/**
 * One try at somebody's account: the seconds until it is looked at, and what is to be noted of its end. Failures are
 * counted for the network and for the account; each waits longer, neither for ever. A network with few failures of its own
 * is heard, whatever strangers elsewhere are doing to the account: they cannot lock its owner out. While they are at it,
 * each network waits for its own failures after two of them.
 */
export async function beginTry(
  context: Context,
  request: Request,
  who: { typed: string; personId: string | undefined },
) {
  const { signInDelay } = context
  const address = `address:${networkFrom(request)}`
  const account = await countedAs(context, request.headers.get('cookie'), who.personId, sha256(who.typed))
  const here = `here:${sha256(`${address} ${account}`)}`
  const [failedFromNetwork = 0, failedAtAccount = 0] = await Promise.all(
    [address, account].map((key) => signInDelay.failed(key)),
  )
  const sharesTurn = failedFromNetwork >= freeForNetwork
  const isSlowed = !sharesTurn && failedAtAccount >= freeForAccount
  const keys = [address, ...(sharesTurn ? [account] : []), ...(isSlowed ? [here] : [])]
  const blocked = await Promise.all(keys.map((key) => signInDelay.waitFor(key)))
  // A network that has to wait takes nobody's turn at the account.
  const claimAccount = async () => (sharesTurn ? signInDelay.claim(account, freeForAccount) : 0)
  const claimHere = async () => (isSlowed ? signInDelay.claim(here, freeUnderAttack) : 0)
  const claimNetwork = async () => signInDelay.claim(address, freeForNetwork)
  const wait = Math.max(...blocked) || (await claimNetwork()) || (await claimAccount()) || (await claimHere())
  return {
    wait,
    async failed() {
      const waits = await Promise.all([
        signInDelay.fail(address, freeForNetwork),
        sharesTurn ? signInDelay.fail(account, freeForAccount) : signInDelay.count(account),
        isSlowed ? signInDelay.fail(here, freeUnderAttack) : signInDelay.count(here),
      ])
      return Math.max(...waits.map((seconds) => seconds ?? 0))
    },
    /** Only what failed for this account from here is forgiven: nobody earns guesses at others by signing in as themselves. */
    async succeeded() {
      const mistakes = await signInDelay.failed(here)
      if (mistakes === 0) return
      await Promise.all([
        signInDelay.forgive(address, mistakes, freeForNetwork),
        signInDelay.forgive(account, mistakes, freeForAccount),
        signInDelay.forgive(here, mistakes),
      ])
    },
  }
}

const freeForNetwork = 10
/** For an account that many networks guess at: an owner who comes from a new one may slip. */
const freeUnderAttack = 2

/**
 * So many failures for one account within an hour come from many addresses: only then do tries from a network that has
 * failed often take turns at the account, one a minute, and never with a passkey or where its owner has signed in before.
 */
const freeForAccount = 100
