import { unitLiteral as js } from './literal.ts'
import { type Snippet, type SnippetApp, secretPlaceholder, webRedirect } from './snippet.ts'

/** The parts of a program that differ between the libraries. */
type Parts = {
  id: string
  library: string
  version: string
  imports: string
  /** Runs once: makes the client from the values of the app. */
  setUp: string
  /** The body of `startSignIn`: sets `started` (what the answer must fit) and `address`. */
  start: string
  /** The body of `finishSignIn`: has `request`, `url` and `started`; sets `person`. */
  finish: string
}

/** Returns a server for Node with `/sign-in` and the redirect URI. It needs no package but the library. */
export function nodeServer(app: SnippetApp, parts: Parts): Snippet | undefined {
  const redirectUri = webRedirect(app)
  if (redirectUri === undefined) return undefined
  const { id, library, version } = parts
  const file = `${id}.mjs`
  return {
    id,
    library,
    version,
    install: `npm install ${library}@${version}`,
    file,
    code: programOf(redirectUri, parts),
    run: `${environmentOf(app)}node ${file}`,
    redirectUri,
  }
}

/** Returns the variables of a command that runs a program. */
export function environmentOf({ kind }: SnippetApp): string {
  if (kind === 'public') return ''
  return kind === 'assertion' ? 'PRIVATE_KEY_FILE=private.pem ' : `CLIENT_SECRET='${secretPlaceholder}' `
}

const programOf = (redirectUri: string, { imports, setUp, start, finish }: Parts) => `${imports}

const redirectUri = ${js(redirectUri)}
${setUp}

// The cookie ties the answer to the browser that started the sign-in.
const cookie = ${js(`Path=/; HttpOnly; SameSite=Lax; Max-Age=600${redirectUri.startsWith('https:') ? '; Secure' : ''}`)}

async function startSignIn(response) {
${indented(start)}
  response.setHeader('set-cookie', \`started=\${started.join('.')}; \${cookie}\`)
  response.writeHead(303, { location: String(address) }).end()
}

async function finishSignIn(request, url, response) {
  const started = /started=([\\w.-]+)/.exec(request.headers.cookie ?? '')?.[1]?.split('.') ?? []
${indented(finish)}
  // Begin your own session here. person.sub is the key of this person in your database.
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(person))
}

createServer(async (request, response) => {
  const url = new URL(request.url, redirectUri)
  try {
    if (url.pathname === ${js(new URL(redirectUri).pathname)} && url.searchParams.has('state')) await finishSignIn(request, url, response)
    else if (url.pathname === ${js(startPath(redirectUri))}) await startSignIn(response)
    else response.setHeader('content-type', 'text/html').end('<a href=${js(startPath(redirectUri))}>Sign in</a>')
  } catch (fault) {
    console.error(fault)
    response.writeHead(400).end('The sign-in failed. Try again.')
  }
}).listen(${portOf(redirectUri)}, ${js(hostOf(redirectUri))}, () => console.log(${js(`Open ${new URL('/', redirectUri)}`)}))
`

/** The path that starts a sign-in. */
export const startPath = (redirectUri: string): string =>
  new URL(redirectUri).pathname === '/sign-in' ? '/start-sign-in' : '/sign-in'

/** An app on this machine listens at its redirect URI; any other is behind a server that speaks TLS. */
export function portOf(redirectUri: string): string {
  const { protocol, port } = new URL(redirectUri)
  return protocol === 'http:' ? port || '80' : '8080'
}

export function hostOf(redirectUri: string): string {
  const { protocol, hostname } = new URL(redirectUri)
  return protocol === 'http:' ? hostname.replace(/^\[(.*)\]$/, '$1') : 'localhost'
}

/** Indents the lines of a function's body. */
export const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ')
