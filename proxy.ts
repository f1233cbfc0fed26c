import { randomBytes } from 'node:crypto'
import { type NextRequest, NextResponse } from 'next/server'
import { isEndpoint, sharedFolders } from '#app/paths.ts'
import { endpointHeaders, pageHeaders } from '#lib/http/headers'
import { isBehindFrontDoor, ownNames } from '#lib/server/front-door/own-headers'
import { issuerHomePath } from '#lib/server/plain-page/issuer-home-path'
import { type Config, readConfig } from '#lib/server/settings/config'
import { requestedLanguages } from '#lib/text/messages'

/** Separates the two hosts and sets the security headers, so that plain `next start` behaves like the front door. */
export function proxy(request: NextRequest): NextResponse {
  const config = settings()
  const path = request.nextUrl.pathname
  const host = request.headers.get('host')
  if (sharedFolders.includes(path.slice(1))) return NextResponse.next()
  const onIssuer = host === new URL(config.issuer).host
  if (!onIssuer && host !== new URL(config.accountUrl).host) return refuse(421, 'This host is not served here.', config)
  const isIssuerHome = onIssuer && path === '/'
  if (isEndpoint(path) !== onIssuer && !isIssuerHome) return refuse(404, 'There is nothing at this address.', config)
  // The names of these files change with their content, so Next lets browsers cache them forever.
  if (path.startsWith('/_next/static/')) return withHeaders(NextResponse.next(), endpointHeaders(config))
  const headers = trusted(request.headers)
  const asSent = { request: { headers } }
  if (isIssuerHome) {
    // The page sends its own Content-Security-Policy, which allows its inline style.
    const { 'content-security-policy': _, ...rest } = endpointHeaders(config)
    return withHeaders(
      NextResponse.rewrite(new URL(`${issuerHomePath}${request.nextUrl.search}`, request.url), asSent),
      rest,
    )
  }
  if (onIssuer) return withHeaders(NextResponse.next(asSent), endpointHeaders(config))
  return page(request, headers, config)
}

/**
 * Drops headers with Postern's internal names when no front door has set them, because a client could have sent them
 * (RFC 9700 §4.13).
 */
function trusted(sent: Headers): Headers {
  const headers = new Headers(sent)
  if (!isBehindFrontDoor()) for (const name of sent.keys()) if (ownNames.test(name)) headers.delete(name)
  return headers
}

const refuse = (status: number, sentence: string, config: Config) =>
  new NextResponse(`${sentence}\n`, { status, headers: endpointHeaders(config) })

function page(request: NextRequest, forwarded: Headers, config: Config): NextResponse {
  const nonce = randomBytes(16).toString('base64url')
  const headers = pageHeaders(config, nonce, process.env.NODE_ENV === 'development')
  forwarded.set('content-security-policy', headers['content-security-policy'] as string)
  forwarded.set('x-nonce', nonce)
  forwarded.set('x-path', request.nextUrl.pathname + request.nextUrl.search)
  // Under plain `next start`, no front door assigns a request id.
  if (!forwarded.has('x-request-id')) forwarded.set('x-request-id', randomBytes(9).toString('base64url'))
  forwarded.set('x-ui-locales', requestedLanguages(request.nextUrl.searchParams.get('ui_locales')).join(' '))
  const asSent = { request: { headers: forwarded } }
  // A page cannot set its own status; the error page always answers a rejected request.
  const refused = request.nextUrl.pathname === '/error'
  const answer = refused ? NextResponse.rewrite(request.url, { ...asSent, status: 400 }) : NextResponse.next(asSent)
  return withHeaders(answer, headers)
}

function withHeaders(response: NextResponse, headers: Record<string, string>): NextResponse {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  return response
}

let known: Config | undefined
function settings(): Config {
  known ??= readConfig(process.env)
  return known
}
