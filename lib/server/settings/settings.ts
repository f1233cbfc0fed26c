import { isIP } from 'node:net'
import { z } from 'zod'
import { leadsToSocket, serverUrls } from '#lib/text/server-urls'
import { tlsProblem } from '#lib/text/smtp-url'
import { lookExamples, lookSettings } from './look-settings.ts'
import { isKey } from './secret-sources.ts'

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
const key = z.string().refine(isKey, 'must be 32 random bytes in base64url (43 characters)')
const webAddress = z.url({ protocol: /^https?$/, error: 'must be an http(s) address' })
const addresses = listOf(isAddressOrRange, 'must list IP addresses or CIDR ranges')
const hostsAndAddresses = listOf(
  // A zone (fe80::1%eth0) is local to this machine, and no answer of DNS has one.
  (entry) => (isAddressOrRange(entry) && !entry.includes('%')) || isHostName(entry),
  'must list host names, IP addresses or CIDR ranges',
)
const mailAddress = z.string().regex(/^[^\s@<>]+@[^\s@<>]+$/, 'must be a mail address')
const whole = (least: number, most: number) =>
  z.coerce
    .number({ error: 'must be a whole number' })
    .int('must be a whole number')
    .min(least, `must be at least ${least}`)
    .max(most, `must be at most ${most}`)
const yesNo = z.enum(['0', '1'], { error: 'must be 0 or 1' }).transform((text) => text === '1')

/** Every variable, with its format and default (design §8). */
export const settings = z.object({
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
    .refine(
      isFileOrUrl,
      'is not a URL: write special characters of a password percent-encoded, such as %40 for @, and localhost as the host of a Unix socket',
    )
    .refine(
      namesServers,
      'must name a host, or the folder of one Unix socket: postgresql://USER@localhost/NAME?host=/FOLDER',
    )
    .refine(goesToPrimary, 'may have target_session_attrs=read-write only: Postern writes with every connection')
    .optional(),
  DATABASE_CONNECTIONS: whole(2, 500).default(20),
  DATABASE_TIMEOUT_SECONDS: whole(1, 8).default(4),
  DATA_DIR: z.string().default('.data'),
  DELETION_JOURNAL: z.string().optional(),
  SECRET_KEY: key.optional(),
  SECRET_KEY_FILE: z.string().optional(),
  SECRET_KEY_COMMAND: z.string().optional(),
  SECRET_KEY_PREVIOUS: key.optional(),
  SECRET_KEY_PREVIOUS_FILE: z.string().optional(),
  SECRET_KEY_PREVIOUS_COMMAND: z.string().optional(),
  SERVICE_NAME: z
    .string()
    .trim()
    .min(1, 'must not be blank')
    .max(40, 'must have at most 40 characters')
    .default('Postern'),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/.+/, 'must begin with smtp:// or smtps://')
    .refine(namesHost, 'is not a URL: write special characters of a password percent-encoded, such as %40 for @')
    .refine((url) => tlsProblem(url) === undefined, { error: ({ input }) => tlsProblem(String(input)) })
    .optional(),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]*[^\s@<]+@[^\s@>]+>?$/, 'must be a mail address')
    .optional(),
  MAIL_REPLY_TO: mailAddress.optional(),
  RELAY_DOMAIN: z
    .string()
    .regex(
      /^(?=.{1,253}$)(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))+$/,
      'must be a lower-case domain name',
    )
    .optional(),
  RELAY_FRONT: addresses,
  RELAY_ADDRESSES_BY_HAND: whole(0, 1000).default(50),
  OPERATOR_EMAIL: mailAddress.optional(),
  RELAY_TLS_CERT: z.string().optional(),
  RELAY_TLS_KEY: z.string().optional(),
  ROLES: z
    .string()
    .default('web,relay,jobs')
    .transform((text) => [...new Set(text.split(',').map((role) => role.trim()))])
    .pipe(z.array(z.enum(['web', 'relay', 'jobs'], { error: 'may name web, relay and jobs only' })).min(1)),
  WORKERS: z
    .union([z.literal('auto'), whole(1, 64)], { error: 'must be auto or a whole number from 1 to 64' })
    .default(1),
  DRAIN_SECONDS: whole(0, 300).optional(),
  DEMO: yesNo.prefault('1'),
  SIGNUP: z.enum(['open', 'invite', 'off'], { error: 'must be open, invite or off' }).default('open'),
  TEAMS: z.enum(['open', 'invite', 'off'], { error: 'must be open, invite or off' }).default('off'),
  ADMIN_NETWORKS: addresses,
  SENSITIVE_SCOPES: z.enum(['open', 'review'], { error: 'must be open or review' }).default('open'),
  TERMS_URL: webAddress.optional(),
  PRIVACY_URL: webAddress.optional(),
  DOCS_URL: webAddress.optional(),
  PASSWORD_LOOKUP_URL: webAddress.optional(),
  ...lookSettings,
  SECURITY_CONTACT: z
    .string()
    .regex(/^(mailto:[^\s@]+@[^\s@]+|https:\/\/[^\s/]+\S*|tel:[+\d().-]+)$/, 'must begin with mailto:, https: or tel:')
    .optional(),
  TRUST_PROXY: addresses,
  OUTBOUND_ALLOW: hostsAndAddresses,
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

/** An example of each variable; .env.example documents the same list. */
export const examples: Record<keyof z.infer<typeof settings>, string> = {
  ISSUER: 'https://id.example.org',
  ACCOUNT_URL: 'https://account.example.org',
  LISTEN_ISSUER: '0.0.0.0:3000',
  LISTEN_ACCOUNT: '0.0.0.0:3001',
  METRICS_LISTEN: '127.0.0.1:9464',
  RELAY_LISTEN: '0.0.0.0:25',
  DEMO_LISTEN: 'localhost:3002',
  DATABASE_URL: 'postgresql://postern:password@db.internal:5432/postern',
  DATABASE_CONNECTIONS: '20',
  DATABASE_TIMEOUT_SECONDS: '4',
  DATA_DIR: '/var/lib/postern',
  DELETION_JOURNAL: '/var/backups/postern/deleted',
  SECRET_KEY: 'the output of: openssl rand -base64 32 | tr +/ -_ | tr -d =',
  SECRET_KEY_FILE: '/etc/postern/secret-key',
  SECRET_KEY_COMMAND: 'vault kv get -field=key secret/postern',
  SECRET_KEY_PREVIOUS: 'the previous SECRET_KEY',
  SECRET_KEY_PREVIOUS_FILE: '/etc/postern/secret-key-previous',
  SECRET_KEY_PREVIOUS_COMMAND: 'vault kv get -field=previous secret/postern',
  SERVICE_NAME: 'Postern',
  SMTP_URL: 'smtp://user:password@mail.example.org:587',
  MAIL_FROM: 'Postern <noreply@example.org>',
  MAIL_REPLY_TO: 'support@example.org',
  RELAY_DOMAIN: 'relay.example.org',
  RELAY_FRONT: '127.0.0.1',
  RELAY_ADDRESSES_BY_HAND: '50',
  OPERATOR_EMAIL: 'ops@example.org',
  RELAY_TLS_CERT: '/etc/postern/relay.crt',
  RELAY_TLS_KEY: '/etc/postern/relay.key',
  ROLES: 'web,relay,jobs',
  WORKERS: 'auto',
  DRAIN_SECONDS: '5',
  DEMO: '0',
  SIGNUP: 'open',
  TEAMS: 'open',
  ADMIN_NETWORKS: '10.0.0.0/8,2001:db8::/32',
  SENSITIVE_SCOPES: 'review',
  TERMS_URL: 'https://example.org/terms',
  PRIVACY_URL: 'https://example.org/privacy',
  DOCS_URL: 'https://example.org/docs',
  PASSWORD_LOOKUP_URL: 'https://api.pwnedpasswords.com/range/',
  ...lookExamples,
  SECURITY_CONTACT: 'mailto:security@example.org',
  TRUST_PROXY: '10.0.0.0/8,127.0.0.1',
  OUTBOUND_ALLOW: 'intranet.example.org,10.20.0.0/16',
  LOG_LEVEL: 'info',
  CODE_SECONDS: '60',
  ACCESS_TOKEN_SECONDS: '300',
  ID_TOKEN_SECONDS: '3600',
  REFRESH_IDLE_DAYS: '30',
  REFRESH_MAX_DAYS: '180',
  REFRESH_RETRY_SECONDS: '30',
}

/** Reads a comma-separated list. */
function listOf(isGood: (entry: string) => boolean, message: string) {
  return z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean),
    )
    .pipe(z.array(z.string().refine(isGood, { message })))
}

function isBareOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  return /^https?:$/.test(url.protocol) && url.origin === text
}

/** The host may be missing: `namesServers` says so. */
function isFileOrUrl(text: string): boolean {
  return text.startsWith('file:') || serverUrls(text).every((url) => URL.canParse(url))
}

function namesHost(text: string): boolean {
  return URL.canParse(text) && new URL(text).hostname !== ''
}

/** Among several servers, the primary is searched by TCP. */
function namesServers(text: string): boolean {
  if (text.startsWith('file:') || !isFileOrUrl(text)) return true
  const [first = '', ...others] = serverUrls(text)
  if (leadsToSocket(first) && others.length === 0) return true
  return [first, ...others].every((url) => namesHost(url) && !leadsToSocket(url))
}

function goesToPrimary(text: string): boolean {
  const wishes = /[?&]target_session_attrs=([^&]*)/.exec(text)
  return !wishes || wishes[1] === 'read-write'
}

/** A lower-case host name whose last label is not a number, so that a mistyped address is no host name. */
function isHostName(text: string): boolean {
  const [isShort, isNumber] = [text.length <= 253, /(?:^|\.)\d+$/.test(text)]
  return isShort && !isNumber && /^(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*$/.test(text)
}

function isAddressOrRange(text: string): boolean {
  const [ip = '', bits, ...rest] = text.split('/')
  const family = isIP(ip)
  if (family === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}
