import type { Database } from '#lib/db/engine/client'
import { type Statement, type Statements, statementsOf } from '#lib/db/engine/statements'
import type { AttemptTable } from '#lib/db/limits/attempts'
import type { Counted, RelayStore, Route } from '#lib/relay/store'
import { inLanguage, namesIn } from '#lib/text/localized-name'
import { chooseLocale } from '#lib/text/messages'

/** Stores the relay's state. */
export function relayStore(
  database: Database,
  attempts: AttemptTable,
  /** Is told the app of each counted message. */
  counted: (appId: string, what: Counted) => void = () => undefined,
): RelayStore {
  const { prisma } = database
  const statements = statementsOf(database)
  const { change } = statements
  return {
    findRoute: (alias) => findRoute(statements, alias),
    async keepReverse(token, { alias, target }, now) {
      await change(reverseKept, [token, alias, target, now])
    },
    async findReverse(token) {
      const row = await prisma.reverseAddress.findUnique({ where: { token } })
      return row ? { alias: row.aliasName, target: row.target } : undefined
    },
    async addressesOf(id) {
      const row = await prisma.person.findUnique({
        where: { id },
        select: { email: true, formerEmails: { select: { address: true } } },
      })
      return [row?.email, ...(row?.formerEmails ?? []).map(({ address }) => address)].filter((one) => one != null)
    },
    async count(alias, what, now) {
      const row = await statements.write(counters[what], what === 'forwarded' ? [alias, now] : [alias])
      if (typeof row?.appId === 'string') counted(row.appId, what)
    },
    async wasTaken(id, now) {
      return (await statements.find(receipt, [id, now])) !== undefined
    },
    async keepTaken(id, until) {
      await change(receiptKept, [id, until])
    },
    async keepThread(id, { alias, original }, until) {
      await change(threadKept, [id, alias, original, until])
    },
    async findThreads(aliasName, ids) {
      const rows = await prisma.threadMark.findMany({ where: { id: { in: ids }, aliasName } })
      return new Map(rows.map(({ id, original }) => [id, original ?? undefined]))
    },
    async keepSent(id, { alias, prints }, now, until) {
      return (await change(sentKept, [id, alias, prints, now, until])) === 1
    },
    async findSent(aliasName, ids, now) {
      return byId(await prisma.sentMessage.findMany({ where: { id: { in: ids }, aliasName, expiresAt: { gt: now } } }))
    },
    async latestSent(aliasName, take, now) {
      const where = { aliasName, expiresAt: { gt: now } }
      return byId(await prisma.sentMessage.findMany({ where, orderBy: { createdAt: 'desc' }, take }))
    },
    mayPass: (key, { most, seconds }, now) => attempts.pass(key, { points: most, seconds }, now),
    giveBack: attempts.takeBack,
    async lastAddressChange(personId) {
      const last = await prisma.formerEmail.findFirst({ where: { personId }, orderBy: { until: 'desc' } })
      return last?.until
    },
    async noteReturned(id, personId, at, since) {
      await change(returned, [id, personId, at])
      return prisma.returnedMail.count({ where: { personId, at: { gte: since } } })
    },
    async pauseMail(id, now) {
      const { count } = await prisma.person.updateMany({
        where: { id, mailPausedAt: null },
        data: { mailPausedAt: now },
      })
      return count === 1
    },
  }
}

const byId = (rows: { id: string; prints: Uint8Array }[]) => new Map(rows.map(({ id, prints }) => [id, prints]))

async function findRoute({ find }: Statements, alias: string): Promise<Route | undefined> {
  const row = await find(route, [alias])
  if (!row) return undefined
  const known = {
    alias,
    app: row.appId === null ? undefined : { id: String(row.appId), name: nameFor(row) },
    label: String(row.label),
    person: {
      id: String(row.personId),
      username: String(row.username),
      languages: languagesOf(row),
      sharedName: seesName(row.granted) && seesName(row.appScopes) ? String(row.personName) : undefined,
    },
  }
  if (row.deleteAfter !== null) return { ...known, state: 'gone' }
  if (Number(row.closed) === 1) return { ...known, state: 'closed' }
  if (row.email === null || row.mailPausedAt !== null) return { ...known, state: 'unreachable' }
  return { ...known, state: 'open', email: String(row.email) }
}

/** Returns the name of the app in the person's language. */
const nameFor = (row: Record<string, unknown>): string => {
  const app = { name: String(row.appName), names: namesIn(JSON.parse(String(row.registration))) }
  return inLanguage(app, chooseLocale(...languagesOf(row))).name
}

/** The language of the person's pages comes before the shared one. */
const languagesOf = (row: Record<string, unknown>) => [String(row.pageLanguage), String(row.locale)]

const seesName = (scopes: unknown) => /(^| )(name|profile)( |$)/.test(String(scopes))

/**
 * A relay address whose person or app was deleted, or that was deleted itself, stays stored, but the query returns no row
 * for it. One made by hand has neither an app nor a consent.
 */
const route: Statement = {
  name: 'relay-route',
  sql: `SELECT "Alias"."personId", "Alias"."appId", label, "App".name AS "appName", "App".registration, username, "Person".name AS "personName",
      locale, "pageLanguage", "Person".email, "mailPausedAt", "deleteAfter", granted,
      "App".scopes AS "appScopes",
      CASE WHEN "Alias"."disabledAt" IS NULL AND "App"."disabledAt" IS NULL AND "Person"."disabledAt" IS NULL
        AND ("byHand" OR "emailChoice" IN ('hidden', 'regular')) THEN 0 ELSE 1 END AS closed
    FROM "Alias" JOIN "Person" ON "Person".id = "Alias"."personId" LEFT JOIN "App" ON "App".id = "Alias"."appId"
    LEFT JOIN "Consent" ON "Consent"."personId" = "Alias"."personId" AND "Consent"."appId" = "Alias"."appId"
    WHERE "Alias".address = $1 AND ("byHand" OR "App".id IS NOT NULL)`,
}
const reverseKept: Statement = {
  name: 'relay-reverse',
  sql: `INSERT INTO "ReverseAddress" (token, "aliasName", target, "createdAt", "lastUsedAt") VALUES ($1, $2, $3, $4, $4)
    ON CONFLICT (token) DO UPDATE SET "lastUsedAt" = excluded."lastUsedAt"`,
}
const counters: Record<Counted, Statement> = {
  forwarded: {
    name: 'relay-forwarded',
    sql: `UPDATE "Alias" SET forwarded = forwarded + 1, "lastMailAt" = $2 WHERE address = $1 RETURNING "appId"`,
  },
  blocked: {
    name: 'relay-blocked',
    sql: `UPDATE "Alias" SET blocked = blocked + 1 WHERE address = $1 RETURNING "appId"`,
  },
  replied: {
    name: 'relay-replied',
    sql: `UPDATE "Alias" SET replied = replied + 1 WHERE address = $1 RETURNING "appId"`,
  },
}
const receipt: Statement = {
  name: 'relay-receipt',
  sql: `SELECT id FROM "RelayReceipt" WHERE id = $1 AND "expiresAt" > $2`,
}
const receiptKept: Statement = {
  name: 'relay-receipt-kept',
  sql: `INSERT INTO "RelayReceipt" (id, "expiresAt") VALUES ($1, $2)
    ON CONFLICT (id) DO UPDATE SET "expiresAt" = excluded."expiresAt"`,
}
const threadKept: Statement = {
  name: 'relay-thread',
  sql: `INSERT INTO "ThreadMark" (id, "aliasName", original, "expiresAt") VALUES ($1, $2, $3, $4)
    ON CONFLICT (id) DO UPDATE SET "expiresAt" = excluded."expiresAt"`,
}
/**
 * Extends the lifetime of the row when the same message is sent again; another message with the same id changes
 * nothing.
 */
const sentKept: Statement = {
  name: 'relay-sent',
  sql: `INSERT INTO "SentMessage" (id, "aliasName", prints, "createdAt", "expiresAt") VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (id) DO UPDATE SET "expiresAt" = excluded."expiresAt" WHERE "SentMessage".prints = excluded.prints`,
}
const returned: Statement = {
  name: 'relay-returned',
  sql: `INSERT INTO "ReturnedMail" (id, "personId", at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
}
