import { isIP } from 'node:net'
import { z } from 'zod'
import { isLoopback } from './loopback.ts'

/** Everything an operator can set, checked once (design §8). The shape pages and domains read. */
export type Config = ReturnType<typeof readConfig>

/** Settings that cannot be run with: one readable sentence for each variable. */
export class SettingsError extends Error {
  readonly problems: string[]
  constructor(problems: string[]) {
    super(`Postern cannot start with these settings:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.problems = problems
  }
}

/** Reads and checks the environment; throws a SettingsError that lists every problem at once. */
export function readConfig(env: Record<string, string | undefined>) {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = settings.safeParse(given)
  if (!parsed.success) throw new SettingsError(parsed.error.issues.map((issue) => sentenceFor(issue, given)))
  const raw = parsed.data
  const evaluation = isLoopback(new URL(raw.ISSUER).hostname)
  const problems = crossChecks(raw, evaluation, given)
  if (problems.length > 0) throw new SettingsError(problems)
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
    databaseUrl: raw.DATABASE_URL ?? `file:${raw.DATA_DIR}/postern.db`,
    secretKey: raw.SECRET_KEY,
    previousSecretKey: raw.SECRET_KEY_PREVIOUS,
    serviceName: raw.SERVICE_NAME,
    smtpUrl: raw.SMTP_URL,
    mailFrom: raw.MAIL_FROM ?? `${raw.SERVICE_NAME} <noreply@${new URL(raw.ACCOUNT_URL).hostname}>`,
    relayDomain: raw.RELAY_DOMAIN ?? 'relay.localhost',
    operatorEmail: raw.OPERATOR_EMAIL ?? 'operator@localhost',
    relayTls:
      raw.RELAY_TLS_CERT && raw.RELAY_TLS_KEY ? { cert: raw.RELAY_TLS_CERT, key: raw.RELAY_TLS_KEY } : undefined,
    roles: raw.ROLES,
    demo: evaluation && raw.DEMO,
    signup: raw.SIGNUP,
    termsUrl: raw.TERMS_URL,
    privacyUrl: raw.PRIVACY_URL,
    docsUrl: raw.DOCS_URL,
    trustProxy: raw.TRUST_PROXY,
    logLevel: raw.LOG_LEVEL,
    lifetimes: {
      code: raw.CODE_SECONDS,
      accessToken: raw.ACCESS_TOKEN_SECONDS,
      idToken: raw.ID_TOKEN_SECONDS,
      refreshIdle: raw.REFRESH_IDLE_DAYS * 86_400,
      refreshMax: raw.REFRESH_MAX_DAYS * 86_400,
      refreshRetry: raw.REFRESH_RETRY_SECONDS,
    },
  }
}

const origin = z.string().refine(isBareOrigin, {
  message: 'must be a bare origin: scheme and host, no path, no trailing slash',
})
const address = z
  .string()
  .regex(/^(\[[0-9a-fA-F:]+\]|[^\s:]+):\d{1,5}$/, 'must be host:port')
  .transform((text) => ({
    host: text.slice(0, text.lastIndexOf(':')).replace(/^\[|\]$/g, ''),
    port: Number(text.slice(text.lastIndexOf(':') + 1)),
  }))
  .refine(({ port }) => port <= 65_535, { message: 'has a port above 65535' })
const key = z.string().refine((text) => Buffer.from(text, 'base64url').length === 32, {
  message: 'must be 32 random bytes in base64url (43 characters)',
})
const webAddress = z.url({ protocol: /^https?$/, error: 'must be an http(s) address' })
const whole = (least: number, most: number) =>
  z.coerce
    .number({ error: 'must be a whole number' })
    .int('must be a whole number')
    .min(least, `must be at least ${least}`)
    .max(most, `must be at most ${most}`)
const yesNo = z.enum(['0', '1'], { error: 'must be 0 or 1' }).transform((text) => text === '1')

const settings = z.object({
  ISSUER: origin.default('http://localhost:3000'),
  ACCOUNT_URL: origin.default('http://localhost:3001'),
  LISTEN_ISSUER: address.optional(),
  LISTEN_ACCOUNT: address.optional(),
  METRICS_LISTEN: address.optional(),
  RELAY_LISTEN: address.prefault('127.0.0.1:2525'),
  DEMO_LISTEN: address.prefault('localhost:3002'),
  DATABASE_URL: z
    .string()
    .regex(/^(file:.+|postgres(ql)?:\/\/.+)/, 'must begin with file: (SQLite) or postgresql:// (PostgreSQL)')
    .optional(),
  DATA_DIR: z.string().default('.data'),
  SECRET_KEY: key.optional(),
  SECRET_KEY_PREVIOUS: key.optional(),
  SERVICE_NAME: z.string().trim().min(1).max(40, 'must have at most 40 characters').default('Postern'),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/.+/, 'must begin with smtp:// or smtps://')
    .optional(),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]*[^\s@<]+@[^\s@>]+>?$/, 'must be a mail address')
    .optional(),
  RELAY_DOMAIN: z
    .string()
    .regex(/^(?=.{1,253}$)[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'must be a lower-case domain name')
    .optional(),
  OPERATOR_EMAIL: z
    .string()
    .regex(/^[^\s@<>]+@[^\s@<>]+$/, 'must be a mail address')
    .optional(),
  RELAY_TLS_CERT: z.string().optional(),
  RELAY_TLS_KEY: z.string().optional(),
  ROLES: z
    .string()
    .default('web,relay,jobs')
    .transform((text) => text.split(',').map((role) => role.trim()))
    .pipe(z.array(z.enum(['web', 'relay', 'jobs'], { error: 'may name web, relay and jobs only' })).min(1)),
  DEMO: yesNo.prefault('1'),
  SIGNUP: z.enum(['open', 'invite', 'off'], { error: 'must be open, invite or off' }).default('open'),
  TERMS_URL: webAddress.optional(),
  PRIVACY_URL: webAddress.optional(),
  DOCS_URL: webAddress.optional(),
  TRUST_PROXY: z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean),
    )
    .pipe(
      z.array(
        z.string().refine(isAddressOrRange, { message: 'must list IP addresses or CIDR ranges of your proxies' }),
      ),
    ),
  LOG_LEVEL: z
    .enum(['silent', 'error', 'warn', 'info', 'debug'], { error: 'must be silent, error, warn, info or debug' })
    .default('info'),
  CODE_SECONDS: whole(10, 600).default(60),
  ACCESS_TOKEN_SECONDS: whole(30, 3600).default(300),
  ID_TOKEN_SECONDS: whole(30, 86_400).default(3600),
  REFRESH_IDLE_DAYS: whole(1, 3650).default(30),
  REFRESH_MAX_DAYS: whole(1, 3650).default(180),
  REFRESH_RETRY_SECONDS: whole(0, 300).default(30),
})

/** The variables there are, each with an example that works; .env.example documents the same list. */
export const examples: Record<keyof z.infer<typeof settings>, string> = {
  ISSUER: 'https://id.example.org',
  ACCOUNT_URL: 'https://account.example.org',
  LISTEN_ISSUER: '0.0.0.0:3000',
  LISTEN_ACCOUNT: '0.0.0.0:3001',
  METRICS_LISTEN: '127.0.0.1:9464',
  RELAY_LISTEN: '0.0.0.0:25',
  DEMO_LISTEN: 'localhost:3002',
  DATABASE_URL: 'postgresql://postern:password@db.internal:5432/postern',
  DATA_DIR: '/var/lib/postern',
  SECRET_KEY: 'the output of: openssl rand -base64 32 | tr +/ -_ | tr -d =',
  SECRET_KEY_PREVIOUS: 'the SECRET_KEY before the present one',
  SERVICE_NAME: 'Postern',
  SMTP_URL: 'smtp://user:password@mail.example.org:587',
  MAIL_FROM: 'Postern <noreply@example.org>',
  RELAY_DOMAIN: 'relay.example.org',
  OPERATOR_EMAIL: 'ops@example.org',
  RELAY_TLS_CERT: '/etc/postern/relay.crt',
  RELAY_TLS_KEY: '/etc/postern/relay.key',
  ROLES: 'web,relay,jobs',
  DEMO: '0',
  SIGNUP: 'open',
  TERMS_URL: 'https://example.org/terms',
  PRIVACY_URL: 'https://example.org/privacy',
  DOCS_URL: 'https://example.org/docs',
  TRUST_PROXY: '10.0.0.0/8,127.0.0.1',
  LOG_LEVEL: 'info',
  CODE_SECONDS: '60',
  ACCESS_TOKEN_SECONDS: '300',
  ID_TOKEN_SECONDS: '3600',
  REFRESH_IDLE_DAYS: '30',
  REFRESH_MAX_DAYS: '180',
  REFRESH_RETRY_SECONDS: '30',
}

type Raw = z.infer<typeof settings>

/** Rules between settings; production never runs on evaluation defaults (design §8). */
function crossChecks(raw: Raw, evaluation: boolean, given: Record<string, unknown>): string[] {
  const problems: string[] = []
  const missing = (name: keyof Raw, why: string) =>
    problems.push(`${name} is missing: ${why}. Example: ${name}=${examples[name]}`)
  const wrong = (name: keyof Raw, what: string) => problems.push(`${name} ${what}. Example: ${name}=${examples[name]}`)
  if (raw.ISSUER === raw.ACCOUNT_URL)
    wrong('ACCOUNT_URL', 'must differ from ISSUER: pages and protocol live on two hosts')
  const together = isLoopback(new URL(raw.ACCOUNT_URL).hostname) === evaluation
  if (!together) wrong('ACCOUNT_URL', 'must be public exactly when ISSUER is')
  if (Boolean(raw.RELAY_TLS_CERT) !== Boolean(raw.RELAY_TLS_KEY)) {
    wrong(raw.RELAY_TLS_CERT ? 'RELAY_TLS_KEY' : 'RELAY_TLS_CERT', 'must be given: certificate and key belong together')
  }
  if (raw.REFRESH_IDLE_DAYS > raw.REFRESH_MAX_DAYS) wrong('REFRESH_IDLE_DAYS', 'must not exceed REFRESH_MAX_DAYS')
  if (evaluation) return problems
  for (const name of together ? (['ISSUER', 'ACCOUNT_URL'] as const) : (['ISSUER'] as const)) {
    if (!raw[name].startsWith('https://')) wrong(name, `is ${raw[name]}: a public host must use https`)
  }
  if (!raw.SECRET_KEY) missing('SECRET_KEY', 'it seals keys, cookies and requests, and must be the same on every node')
  if (!given.DATABASE_URL && !given.DATA_DIR)
    missing('DATABASE_URL', 'say where the data lives (or set DATA_DIR for one SQLite file)')
  if ((raw.ROLES.includes('web') || raw.ROLES.includes('relay')) && !raw.SMTP_URL)
    missing('SMTP_URL', 'letters to people and relayed mail leave through it')
  if (raw.ROLES.includes('relay') && !raw.RELAY_DOMAIN)
    missing('RELAY_DOMAIN', 'Hide My Email addresses live there (or leave relay out of ROLES)')
  if (raw.ROLES.includes('relay') && !raw.OPERATOR_EMAIL)
    missing('OPERATOR_EMAIL', 'mail to postmaster@ and abuse@ of the relay domain goes there')
  if (given.DEMO === '1') wrong('DEMO', 'is for an evaluation on a loopback issuer only')
  return problems
}

function sentenceFor(issue: z.core.$ZodIssue, given: Record<string, unknown>): string {
  const name = String(issue.path[0]) as keyof Raw
  const secret = name.startsWith('SECRET_KEY') || name.endsWith('_URL')
  const shown =
    secret || given[name] === undefined ? '' : ` (it is ${JSON.stringify(String(given[name]).slice(0, 80))})`
  return `${name} ${issue.message}${shown}. Example: ${name}=${examples[name]}`
}

function isBareOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  return /^https?:$/.test(url.protocol) && url.origin === text
}

function isAddressOrRange(text: string): boolean {
  const [ip = '', bits, ...rest] = text.split('/')
  const family = isIP(ip)
  if (family === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

function loopbackAddress(url: string) {
  const { hostname, port, protocol } = new URL(url)
  if (!isLoopback(hostname)) return undefined
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (protocol === 'https:' ? 443 : 80)) }
}
