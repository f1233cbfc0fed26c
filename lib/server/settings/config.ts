import { availableParallelism } from 'node:os'
import type { z } from 'zod'
import { isLoopback } from '#lib/text/loopback'
import { settingsInForce } from './in-force.ts'
import { readLook } from './look.ts'
import { readSecrets } from './secret-sources.ts'
import { examples, settings } from './settings.ts'

/** The settings of an operator, validated (design §8). */
export type Config = ReturnType<typeof readConfig>

/** Thrown for invalid settings, with one sentence for each problem. */
export class SettingsError extends Error {
  readonly problems: string[]
  constructor(problems: string[]) {
    super(`Postern cannot start with these settings:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.problems = problems
  }
}

/**
 * Reads and checks the environment, and the files and commands that it names for keys; throws a SettingsError that lists
 * every problem at once.
 */
export function readConfig(env: Record<string, string | undefined>) {
  const { raw, evaluation, given } = parseSettings(env)
  const problems = crossChecks(raw, evaluation, given)
  const look = readLook(raw, problems)
  if (!look || problems.length > 0) throw new SettingsError(problems)
  return {
    evaluation,
    issuer: raw.ISSUER,
    accountUrl: raw.ACCOUNT_URL,
    listen: {
      issuer: raw.LISTEN_ISSUER ?? loopbackAddress(raw.ISSUER) ?? { host: '0.0.0.0', port: 3000 },
      account: raw.LISTEN_ACCOUNT ?? loopbackAddress(raw.ACCOUNT_URL) ?? { host: '0.0.0.0', port: 3001 },
      metrics: raw.METRICS_LISTEN,
      relay: raw.RELAY_LISTEN,
      demo: raw.DEMO_LISTEN,
    },
    dataDir: raw.DATA_DIR,
    deletionJournal: raw.DELETION_JOURNAL,
    ...databaseOf(raw),
    secretKey: raw.SECRET_KEY,
    previousSecretKey: raw.SECRET_KEY_PREVIOUS,
    serviceName: raw.SERVICE_NAME,
    smtpUrl: raw.SMTP_URL,
    mailReplyTo: raw.MAIL_REPLY_TO,
    mailFrom: raw.MAIL_FROM ?? `${raw.SERVICE_NAME} <noreply@${new URL(raw.ACCOUNT_URL).hostname}>`,
    ...aliasesOf(raw),
    operatorEmail: raw.OPERATOR_EMAIL ?? 'operator@localhost',
    relayTls:
      raw.RELAY_TLS_CERT && raw.RELAY_TLS_KEY ? { cert: raw.RELAY_TLS_CERT, key: raw.RELAY_TLS_KEY } : undefined,
    roles: raw.ROLES,
    drainSeconds: raw.DRAIN_SECONDS,
    workers: raw.WORKERS === 'auto' ? availableParallelism() : raw.WORKERS,
    /** The address of the demo app, which runs only in an evaluation. */
    demoUrl: evaluation && raw.DEMO ? `http://${raw.DEMO_LISTEN.host}:${raw.DEMO_LISTEN.port}` : undefined,
    signup: raw.SIGNUP,
    teams: raw.TEAMS,
    adminNetworks: raw.ADMIN_NETWORKS,
    /** Whether operators approve sensitive scopes (lib/apps/sensitive-scopes.ts). */
    reviewsScopes: raw.SENSITIVE_SCOPES === 'review',
    passwordLookupUrl: raw.PASSWORD_LOOKUP_URL,
    ...look,
    securityContact: raw.SECURITY_CONTACT,
    trustProxy: raw.TRUST_PROXY,
    outboundAllow: raw.OUTBOUND_ALLOW,
    relayFront: raw.RELAY_FRONT,
    logLevel: raw.LOG_LEVEL,
    lifetimes: lifetimesOf(raw),
    inForce: settingsInForce(raw, given),
  }
}

type Raw = z.infer<typeof settings>

function parseSettings(env: Record<string, string | undefined>) {
  const named = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const secrets = readSecrets(named)
  const given = { ...named, ...secrets.values }
  const parsed = settings.safeParse(given)
  const wrong = parsed.error?.issues.map((issue) => sentenceFor(issue, given))
  if (!parsed.success || secrets.problems.length > 0) throw new SettingsError([...secrets.problems, ...new Set(wrong)])
  const evaluation = isLoopback(new URL(parsed.data.ISSUER).hostname)
  const raw = { ...parsed.data, DRAIN_SECONDS: parsed.data.DRAIN_SECONDS ?? (evaluation ? 0 : 5) }
  return { raw, evaluation, given }
}

const databaseOf = (raw: Raw) => ({
  databaseUrl: raw.DATABASE_URL ?? `file:${raw.DATA_DIR}/postern.db`,
  databaseConnections: raw.DATABASE_CONNECTIONS,
  databaseTimeout: raw.DATABASE_TIMEOUT_SECONDS,
})

const aliasesOf = (raw: Raw) => ({
  /**
   * Whether people are offered relay addresses: this process relays their mail, or the settings say that another process
   * does.
   */
  offersRelay: raw.ROLES.includes('relay') || raw.RELAY_DOMAIN !== undefined,
  /** How many relay addresses a person may have made by hand; 0 offers none. */
  mostByHand: raw.RELAY_ADDRESSES_BY_HAND,
  relayDomain: raw.RELAY_DOMAIN ?? 'relay.localhost',
})

const lifetimesOf = (raw: Raw) => ({
  code: raw.CODE_SECONDS,
  accessToken: raw.ACCESS_TOKEN_SECONDS,
  idToken: raw.ID_TOKEN_SECONDS,
  refreshIdle: raw.REFRESH_IDLE_DAYS * 86_400,
  refreshMax: raw.REFRESH_MAX_DAYS * 86_400,
  refreshRetry: raw.REFRESH_RETRY_SECONDS,
})

/**
 * Checks rules between settings. A public host needs a value for every setting that has a default only for an
 * evaluation (design §8).
 */
function crossChecks(raw: Raw, evaluation: boolean, given: Record<string, unknown>): string[] {
  const problems: string[] = []
  const missing = (name: keyof Raw, why: string) =>
    problems.push(`${name} is missing: ${why}. Example: ${name}=${examples[name]}`)
  const wrong = (name: keyof Raw, what: string) => problems.push(`${name} ${what}. Example: ${name}=${examples[name]}`)
  if (raw.ISSUER === raw.ACCOUNT_URL)
    wrong('ACCOUNT_URL', 'must differ from ISSUER: pages and protocol live on two hosts')
  const together = isLoopback(new URL(raw.ACCOUNT_URL).hostname) === evaluation
  if (!together) problems.push(oneHostIsPublic(raw, evaluation, given))
  if (Boolean(raw.RELAY_TLS_CERT) !== Boolean(raw.RELAY_TLS_KEY)) {
    wrong(raw.RELAY_TLS_CERT ? 'RELAY_TLS_KEY' : 'RELAY_TLS_CERT', 'must be given: certificate and key belong together')
  }
  if (raw.REFRESH_IDLE_DAYS > raw.REFRESH_MAX_DAYS) {
    const [idle, max] = [raw.REFRESH_IDLE_DAYS, raw.REFRESH_MAX_DAYS]
    problems.push(
      `REFRESH_IDLE_DAYS (${idle}) must not exceed REFRESH_MAX_DAYS (${max}). Example: REFRESH_IDLE_DAYS=${max}`,
    )
  }
  if (evaluation) return problems
  for (const name of together ? (['ISSUER', 'ACCOUNT_URL'] as const) : (['ISSUER'] as const)) {
    if (!raw[name].startsWith('https://')) wrong(name, `is ${raw[name]}: a public host must use https`)
  }
  if (!raw.SECRET_KEY) missing('SECRET_KEY', 'it seals keys, cookies and requests, and must be the same on every node')
  if (!given.DATABASE_URL && !given.DATA_DIR)
    missing('DATABASE_URL', 'it names the database (or set DATA_DIR for one SQLite file)')
  if ((raw.ROLES.includes('web') || raw.ROLES.includes('relay')) && !raw.SMTP_URL)
    missing('SMTP_URL', 'letters to people and relayed mail leave through it')
  if (raw.ROLES.includes('relay') && !raw.RELAY_DOMAIN)
    missing('RELAY_DOMAIN', 'Hide My Email addresses live there (or leave relay out of ROLES)')
  if (raw.ROLES.includes('relay') && !raw.OPERATOR_EMAIL)
    missing('OPERATOR_EMAIL', 'mail to postmaster@ and abuse@ of the relay domain goes there')
  const notRandom = (key: string | undefined) => key && new Set(Buffer.from(key, 'base64url')).size < 16
  for (const name of ['SECRET_KEY', 'SECRET_KEY_PREVIOUS'] as const)
    if (notRandom(raw[name])) wrong(name, 'is not random: anyone who guesses it can impersonate any account')
  if (raw.RELAY_DOMAIN && raw.OPERATOR_EMAIL?.toLowerCase().endsWith(`@${raw.RELAY_DOMAIN}`))
    wrong('OPERATOR_EMAIL', 'must not be in RELAY_DOMAIN: its mail would come back to Postern')
  if (given.DEMO === '1') wrong('DEMO', 'is for an evaluation on a loopback issuer only')
  return problems
}

/** Says that one host is public while the other is missing or on loopback. */
function oneHostIsPublic(raw: Raw, evaluation: boolean, given: Record<string, unknown>): string {
  const [local, open] = evaluation ? (['ISSUER', 'ACCOUNT_URL'] as const) : (['ACCOUNT_URL', 'ISSUER'] as const)
  const problem = given[local]
    ? `is ${raw[local]}, on this machine alone, while ${open} is public: make both public, or neither`
    : `is missing: ${open} is public, and apps and people need two public hosts`
  return `${local} ${problem}. Example: ${local}=${examples[local]}`
}

function sentenceFor(issue: z.core.$ZodIssue, given: Record<string, unknown>): string {
  const name = String(issue.path[0]) as keyof Raw
  const secret = name.startsWith('SECRET_KEY') || name.endsWith('_URL')
  const shown =
    secret || given[name] === undefined ? '' : ` (it is ${JSON.stringify(String(given[name]).slice(0, 80))})`
  return `${name} ${issue.message}${shown}. Example: ${name}=${examples[name]}`
}

function loopbackAddress(url: string) {
  const { hostname, port, protocol } = new URL(url)
  if (!isLoopback(hostname)) return undefined
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (protocol === 'https:' ? 443 : 80)) }
}
