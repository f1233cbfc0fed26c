import type { TokenEndpointResponse } from 'openid-client'
import { escapeHtml } from '#lib/text/text-rules'

/** The tokens and claims that the app received for a signed-in visitor. */
export type SignedIn = {
  tokens: TokenEndpointResponse
  idToken: unknown
  userinfo: unknown
  refreshed: number
  /** How many messages the app has sent to the visitor. */
  messages: number
}

/** Where the page leads on to. */
export type Ways = {
  accountUrl: string
  hasInbox: boolean
  hasConsole: boolean
  /** The domain of relay addresses, where a relay runs. */
  relayDomain: string | undefined
}

/** Returns the relay address that the visitor shared, if there is one. */
export function relayAddressOf({ userinfo }: SignedIn, { relayDomain }: Ways): string | undefined {
  const { email } = userinfo as { email?: string }
  return relayDomain !== undefined && email?.endsWith(`@${relayDomain}`) ? email : undefined
}

const signInButton = '<form method="post" action="/signin"><button>Sign in</button></form>'

/** Returns the page of a visitor who is not signed in. */
export const startPage = () =>
  page(
    'You are not signed in',
    `<p>This demo app knows nothing about you yet. Sign in to see what it gets.</p>${signInButton}`,
  )

/** Returns the page after a logout at the identity provider. */
export const signedOutPage = () =>
  page(
    'You are signed out',
    `<p>Your sessions at this app and at the identity provider have ended. The next sign-in asks who you are.</p>${signInButton}`,
  )

/** Returns the page after a sign-out that kept the session at the identity provider. */
export const signedOutHerePage = () =>
  page(
    'You are signed out of this app',
    `<p>You are still signed in at the identity provider, so the next sign-in needs no password.</p>${signInButton}`,
  )

/** Returns the page of a signed-in visitor: the claims, ways on, and buttons to refresh the tokens and to sign out. */
export function signedInPage(signedIn: SignedIn, ways: Ways): string {
  const { idToken, userinfo, tokens, refreshed } = signedIn
  return page(
    `Hello, ${(userinfo as { name?: string }).name ?? 'you'}`,
    `<h2>The ID token</h2><p>Proof that you signed in, with the ID by which this app’s team knows you (<code>sub</code>).</p>${claims('The claims of the ID token', idToken)}
     <h2>Userinfo</h2><p>What you agreed to share. Everything else has placeholder values.</p>${claims('The claims of userinfo', userinfo)}
     <p>Granted: <code>${escapeHtml(tokens.scope ?? '')}</code>. The access token expires after ${tokens.expires_in} seconds. Refreshed: ${refreshed}.</p>
     <h2 id="next">What next?</h2>${waysOn(signedIn, ways)}
     <div class="row"><form method="post" action="/refresh"><button>Refresh the tokens</button></form>
     <form method="post" action="/signout"><button class="quiet">Sign out</button></form>
     <form method="post" action="/signout-here"><button class="quiet">Sign out of this app only</button></form></div>`,
  )
}

/** Returns the page after a cancelled sign-in. */
export const cancelledPage = () =>
  page('You cancelled', '<p>Nothing was shared with this app.</p><p><a href="/">Back to the start</a></p>')

/**
 * Returns the page after the app's access was ended or narrowed; a new sign-in grants the scopes that are still
 * shared.
 */
export const endedPage = () =>
  page(
    'This app has lost its access',
    `<p>You stopped sharing something with it, or ended its access. Sign in again to share what you still allow.</p>${signInButton}`,
  )

/** Returns the page of a failed sign-in, with the reason. */
export const failedPage = (reason: string) =>
  page('The sign-in did not work', `<p>${escapeHtml(reason)}</p><p><a href="/">Back to the start</a></p>`)

/** Claims as a table, and folded as the JSON that the app received. */
const claims = (caption: string, value: unknown) =>
  `<div class="wide" tabindex="0" role="region" aria-label="${caption}"><table><thead><tr><th scope="col">Claim</th><th scope="col">Value</th></tr></thead><tbody>${Object.entries(
    value as object,
  )
    .map(([name, one]) => `<tr><th scope="row"><code>${escapeHtml(name)}</code></th><td>${shown(one)}</td></tr>`)
    .join('')}</tbody></table></div>
   <details><summary>${caption} as JSON</summary><pre tabindex="0">${escapeHtml(JSON.stringify(value, null, 2))}</pre></details>`

const shown = (value: unknown) =>
  value === ''
    ? '<span class="soft">empty</span>'
    : escapeHtml(typeof value === 'string' ? value : JSON.stringify(value))

/** What to try next: a message through the relay, the account’s view of this app, an app of one’s own. */
function waysOn(signedIn: SignedIn, ways: Ways): string {
  const { accountUrl, hasInbox, hasConsole } = ways
  const { messages } = signedIn
  const link = (path: string, text: string) => `<a href="${escapeHtml(accountUrl + path)}">${text}</a>`
  const items = [
    relayAddressOf(signedIn, ways)
      ? `<form method="post" action="/message"><button>Send me a message through the relay</button></form>
         <p role="status">${messages > 0 ? `Sent: ${messages}. ${hasInbox ? link('/dev/inbox', 'Read it in the mailbox') : 'Look into your inbox.'}` : ''}</p>`
      : '<p>Hide your e-mail address from this app, and it can show how a message goes through the relay.</p>',
    `<p>${link('/account/apps/demo-app', 'See and change what you share with this app')}</p>`,
    hasConsole
      ? `<p>${link('/console', 'Register an app of your own')}</p>`
      : '<p>Start with <code>TEAMS=open</code> to register an app of your own.</p>',
  ]
  return `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`
}

const page = (title: string, body: string) => `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)} · Demo App</title><link rel="icon" href="data:,">
<style>
:root{color-scheme:light dark;--paper:oklch(.98 .005 260);--ink:oklch(.28 .03 265);--blue:oklch(.48 .15 262);--sunken:oklch(.94 .01 260)}
@media (prefers-color-scheme:dark){:root{--paper:oklch(.2 .015 265);--ink:oklch(.93 .01 265);--blue:oklch(.75 .11 262);--sunken:oklch(.26 .02 265)}}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.6 system-ui,sans-serif}
main{max-width:42rem;margin:0 auto;padding:3rem 1.25rem}
h1{font-size:1.8rem;line-height:1.2;margin:.25rem 0 1rem;overflow-wrap:anywhere}h2{font-size:1.1rem;margin:2rem 0 0}p{margin:.4rem 0 1rem}
.brand{color:var(--blue);font-weight:600}
table{border-collapse:collapse;width:100%;font-size:.9rem}th,td{padding:.45rem .75rem .45rem 0;border-bottom:1px solid var(--sunken);text-align:start;vertical-align:top}
td{overflow-wrap:anywhere}tbody th{font-weight:400;white-space:nowrap}.wide{overflow-x:auto}.soft{opacity:.75}summary{cursor:pointer;color:var(--blue);padding:.5rem 0}ul{padding:0;list-style:none}
pre{background:var(--sunken);padding:1rem;border-radius:.6rem;overflow:auto;font-size:.85rem;line-height:1.5}
button{font:inherit;font-weight:600;padding:.65rem 1.4rem;border:0;border-radius:.6rem;background:var(--blue);color:var(--paper);cursor:pointer}
button.quiet{background:none;color:var(--blue);box-shadow:inset 0 0 0 1.5px}.row{display:flex;gap:.75rem;flex-wrap:wrap;margin-top:1.5rem}
a{color:var(--blue)}:focus-visible{outline:3px solid var(--blue);outline-offset:2px}
</style></head><body><main><span class="brand">Demo App</span><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`
