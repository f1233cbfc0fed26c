import { z } from 'zod'
import { appFields } from '#lib/apps/app-fields'
import { roles } from '#lib/console/roles'

// Shapes of answers. The types of requests are beside their operations.

export const time = z.iso.datetime()
export const role = z.enum(roles)

/** The position in a list: `after` is `next` of the page before. */
export const page = z.strictObject({
  after: z.string().max(200).optional(),
  limit: z.coerce
    .number()
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(100, 'must be at most 100')
    .prefault(50),
})

export const listOf = (item: z.ZodType) => z.object({ items: z.array(item), next: z.string().nullable() })

export const team = z.object({
  id: z.string(),
  name: z.string(),
  created_at: time,
  apps: z.int(),
  members: z.int(),
})

export const member = z.object({ username: z.string(), name: z.string(), role, created_at: time })

export const invitation = z.object({
  id: z.string(),
  role,
  /** Empty for a link. */
  address: z.string(),
  expires_at: time,
})

export const appInList = z.object({ client_id: z.string(), name: z.string(), kind: z.string(), disabled: z.boolean() })

const { client_id: _, client_secret: __, logo: ___, mail_domains: ____, jwks: _____, ...declared } = appFields

/** An app: the fields of its declaration, its state, and its credentials without secrets. */
export const app = z.looseObject({
  ...z.object(declared).partial().shape,
  client_id: z.string(),
  /** Scopes that wait for an operator's approval; they are among `scopes` too. */
  waiting_scopes: z.array(z.string()),
  logo_uri: z.url().nullable(),
  etag: z.string(),
  created_at: time,
  disabled_at: time.nullable(),
  disabled_by: z.string().nullable(),
  remove_after: time.nullable(),
  secrets: z.array(
    z.object({ id: z.string(), created_at: time, expires_at: time.nullable(), last_used_at: time.nullable() }),
  ),
  keys: z.array(z.object({ kid: z.string(), created_at: time, last_used_at: time.nullable() })),
})

export const act = z.object({
  id: z.string(),
  at: time,
  /** A username; empty for the operator. */
  actor: z.string(),
  token: z.string(),
  kind: z.string(),
  target: z.string(),
  before: z.record(z.string(), z.string()),
  after: z.record(z.string(), z.string()),
})

export const teamToken = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  maker: z.string(),
  created_at: time,
  expires_at: time,
  last_used_at: time.nullable(),
})
