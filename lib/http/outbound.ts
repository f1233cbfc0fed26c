import { readFile } from 'node:fs/promises'
import { type IncomingMessage, request as requestOverHttp } from 'node:http'
import { request as requestOverHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isLoopback } from '#lib/text/loopback'
import { isPublicAddress, makeIsAmong } from '#lib/text/network'

/** Sends requests to addresses that apps register, without letting an app reach hosts of the operator (SSRF). */
export type Outbound = {
  /** Reads a JSON document of at most 64 KiB. */
  getJson(url: string): Promise<unknown>
  /** Reads a text of at most `most` bytes (64 KiB). */
  getText(url: string, headers: Record<string, string>, most?: number): Promise<string>
  /**
   * Posts a form and returns the status. Resolves only when the answer has ended or was cut off, so that a caller that
   * limits its requests also limits the connections. Discards the body of the answer.
   */
  postForm(url: string, form: Record<string, string>): Promise<number>
  /** Posts a token, and returns the status and a body of at most 64 KiB, which is read for the status 400 alone. */
  postToken(url: string, message: TokenMessage): Promise<{ status: number; body: string }>
}

/** A token to post, with its media type, and the value of the header Authorization that the receiver demands. */
export type TokenMessage = { type: string; token: string; authorization: string | undefined }

/** A request that was not sent, or that got no usable answer. Its message is for the developers of the app. */
export class OutboundFault extends Error {}

export type OutboundRules = {
  /** An evaluation may use http, and any address. */
  evaluation: boolean
  /** Hosts, addresses and CIDR ranges that the operator permits although they are not public (OUTBOUND_ALLOW). */
  allow: string[]
  /** Resolves DNS records; rejects when there are none. */
  resolver(name: string, type: string): Promise<unknown[]>
  /** Milliseconds for a whole request, DNS included. */
  patience?: number
  /** A file of host names that takes precedence over DNS. */
  hostsFile?: string
  /** Certificates to trust instead of those of Node. */
  ca?: string
}

const mostBytes = 65_536

/** Opens the client for outbound requests. */
export function openOutbound(rules: OutboundRules): Outbound {
  return {
    async getJson(url) {
      const text = await getText(rules, url, { accept: 'application/json' })
      try {
        return JSON.parse(text)
      } catch {
        throw new OutboundFault('the answer is not JSON')
      }
    },
    getText: (url, headers, most) => getText(rules, url, { accept: 'text/plain', ...headers }, most),
    async postForm(url, form) {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const answer = await send(rules, url, { method: 'POST', headers, body: new URLSearchParams(form).toString() })
      await discard(answer)
      return answer.statusCode as number
    },
    async postToken(url, { type, token, authorization }) {
      const headers = { 'content-type': type, accept: 'application/json', ...(authorization && { authorization }) }
      const answer = await send(rules, url, { method: 'POST', headers, body: token })
      if (answer.statusCode === 400) return { status: 400, body: await readBody(answer) }
      await discard(answer)
      return { status: answer.statusCode as number, body: '' }
    },
  }
}

async function getText(
  rules: OutboundRules,
  url: string,
  headers: Record<string, string>,
  most?: number,
): Promise<string> {
  const answer = await send(rules, url, { method: 'GET', headers })
  if (answer.statusCode !== 200) throw new OutboundFault(`the answer has status ${answer.statusCode}`)
  return readBody(answer, most)
}

type Sent = { method: string; headers: Record<string, string>; body?: string }

/**
 * Resolves the host once, checks every address, and connects to these addresses only: a second DNS answer (DNS
 * rebinding) is never asked for. Follows no redirect, keeps no connection, and ends everything at one deadline.
 */
async function send(rules: OutboundRules, address: string, sent: Sent): Promise<IncomingMessage> {
  const url = new URL(address)
  if (url.protocol !== 'https:' && !(rules.evaluation && url.protocol === 'http:'))
    throw new OutboundFault('the address is not https')
  const { patience = 5000 } = rules
  const signal = AbortSignal.timeout(patience)
  const addresses = await orLate(permittedAddresses(rules, hostOf(url)), signal)
  const answer = await orLate(exchange(rules, url, { ...sent, addresses, signal, patience }), signal)
  const { statusCode = 0 } = answer
  if (statusCode < 300 || statusCode > 399) return answer
  await discard(answer)
  throw new OutboundFault(`the answer is a redirect (${statusCode}), which is not followed`)
}

/** The URL parser has already turned decimal, octal and hexadecimal IPv4 addresses into their usual form. */
const hostOf = (url: URL) => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

async function permittedAddresses(rules: OutboundRules, host: string): Promise<string[]> {
  const addresses = await findAddresses(rules, host)
  if (addresses.length === 0) throw new OutboundFault('the host name has no address')
  const isAmong = makeIsAmong(rules.allow.filter((entry) => isIP(entry.split('/')[0] ?? '') !== 0))
  const isPermitted = (one: string) => isPublicAddress(one) || isAmong(one)
  // One forbidden address is enough to refuse: an attacker could hide it among public ones.
  if (rules.evaluation || rules.allow.includes(host) || addresses.every(isPermitted)) return addresses
  throw new OutboundFault('the host has an address that is not public; the operator can list it in OUTBOUND_ALLOW')
}

async function findAddresses({ resolver, hostsFile = '/etc/hosts' }: OutboundRules, host: string): Promise<string[]> {
  if (isIP(host) !== 0) return [host]
  // RFC 6761 §6.3: names under localhost are never looked up.
  if (isLoopback(host)) return ['127.0.0.1', '::1']
  const listed = addressesIn(await readFile(hostsFile, 'utf8').catch(() => ''), host)
  if (listed.length > 0) return listed
  const answers = await Promise.allSettled([resolver(host, 'A'), resolver(host, 'AAAA')])
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value.map(String) : []))
  return found.filter((one) => isIP(one) !== 0)
}

/** Returns the addresses of a host in a hosts file (hosts(5)); getaddrinfo would block a thread that signs tokens. */
const addressesIn = (hostsFile: string, host: string): string[] =>
  hostsFile
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/))
    .filter(([address = '', ...names]) => isIP(address) !== 0 && names.includes(host))
    .map(([address]) => address as string)

type Prepared = Sent & { addresses: string[]; signal: AbortSignal; patience: number }

function exchange({ ca }: OutboundRules, url: URL, { addresses, signal, patience, body, ...sent }: Prepared) {
  const pinned = addresses.map((address) => ({ address, family: isIP(address) }))
  const lookup: LookupFunction = (_, { all }, done) =>
    all ? done(null, pinned) : done(null, pinned[0]?.address as string, pinned[0]?.family)
  const options = {
    ...sent,
    headers: { ...sent.headers, 'user-agent': 'Postern', ...(body !== undefined && { 'content-length': body.length }) },
    hostname: hostOf(url),
    port: url.port,
    path: url.pathname + url.search,
    agent: false,
    rejectUnauthorized: true,
    // By default, Node gives up an address after 250 ms, which is too short for a distant or busy server.
    autoSelectFamilyAttemptTimeout: Math.max(250, Math.floor(patience / addresses.length)),
    lookup,
    signal,
    ...(ca && { ca }),
  }
  return new Promise<IncomingMessage>((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestOverHttps(options, resolve) : requestOverHttp(options, resolve)
    request.on('error', (fault) => reject(new OutboundFault(`no answer: ${codeOf(fault)}`, { cause: fault })))
    request.end(body)
  })
}

const codeOf = (fault: Error) => String((fault as { code?: unknown }).code ?? fault.name)

async function readBody(answer: IncomingMessage, most = mostBytes): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      bytes += chunk.length
      // Leaving the loop destroys the connection.
      if (bytes > most) break
      chunks.push(chunk)
    }
  } catch (fault) {
    throw new OutboundFault('the answer was cut off', { cause: fault })
  }
  if (bytes > most) throw new OutboundFault(`the answer has more than ${most} bytes`)
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * Reads the rest of an answer without keeping it, so that its server ends as usual. A long rest is cut off, and a slow one
 * at the deadline of the request.
 */
function discard(answer: IncomingMessage): Promise<void> {
  let bytes = 0
  answer.on('error', () => undefined)
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > mostBytes) answer.destroy()
  })
  return new Promise((resolve) => answer.once('close', resolve))
}

function orLate<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  // The abort may come first. Without this handler, a later failure of the work would be an unhandled rejection.
  work.catch(() => undefined)
  return new Promise((resolve, reject) => {
    const onLate = () => reject(new OutboundFault('no answer within the time limit'))
    signal.addEventListener('abort', onLate, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onLate))
  })
}
