import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PersonalDataStore } from '#lib/account/data/personal-data'
import type { Prisma } from '#lib/db/engine/client'

/** Reads all data about a person from every table that has any. */
export const personalDataStore = (prisma: Prisma): PersonalDataStore => ({
  async read(personId) {
    const person = await prisma.person.findUniqueOrThrow({ where: { id: personId }, include: everything })
    const grown = await readGrown(prisma, personId)
    const { name, nickname, biography, gender, birthdate, region, locale } = person
    return {
      account: accountOf(person),
      profile: { name, nickname, biography, gender, birthdate, region, locale },
      picture: await readPicture(prisma, person.avatarFile),
      waitingEmails: person.emailCodes,
      formerEmails: person.formerEmails,
      emailChanges: person.emailChanges,
      returnedMail: person.returnedMails.map(({ at }) => at),
      identifiers: person.subjects.map(({ team, sub, createdAt: since }) => ({ team: team.name, sub, since })),
      teamTokens: [...person.teamTokens, ...person.registrationTokens].map(withTeamName),
      movedIdentifiers: person.movedSubjects.map(({ transfer, ...subs }) => ({ app: transfer.app.name, ...subs })),
      teams: person.memberships.map(({ team, role, createdAt: since }) => ({ team: team.name, role, since })),
      triedApps: person.trials.map(({ app, startedAt }) => ({ app: app.name, at: startedAt })),
      operatorSince: person.operator?.grantedAt ?? null,
      factorReset: person.factorReset,
      apps: person.consents.map(({ app, granted, declined, ...rest }) => ({
        app: app.name,
        team: app.team.name,
        sees: granted.split(' ').filter(Boolean),
        keptBack: declined.split(' ').filter(Boolean),
        ...rest,
      })),
      approvals: grown.authorizations.map(({ app, scopes, ...rest }) => ({
        app: app.name,
        scopes: scopes.split(' '),
        ...rest,
      })),
      hideMyEmail: person.aliases.map(({ app, ...alias }) => ({
        ...alias,
        app: app?.name ?? null,
        senders: grown.reverses
          .filter(({ aliasName }) => aliasName === alias.address)
          .map(({ target, createdAt: since, lastUsedAt }) => ({ address: target, since, lastUsedAt })),
      })),
      securityEvents: grown.securityEvents.map(({ appId, ...event }) => ({ client_id: appId, ...event })),
      sessions: grown.sessions,
      passkeys: person.passkeys,
      secondFactor: { authenticatorAppSince: person.totp?.createdAt ?? null, recoveryCodes: person.recoveryCodes },
      activity: grown.activities.map(({ detail, ...activity }) => ({ ...activity, detail: JSON.parse(detail) })),
    }
  },
})

const accountOf = ({ username, email, passwordHash, passwordSetAt, createdAt, ...person }: PersonRow) => ({
  username,
  email,
  hasPassword: passwordHash !== null,
  passwordSetAt,
  createdAt,
  profileUpdatedAt: person.profileUpdatedAt,
  disabledAt: person.disabledAt,
  deleteAfter: person.deleteAfter,
  mailPausedAt: person.mailPausedAt,
  newAppEmail: person.newAppEmail,
  pageLanguage: person.pageLanguage,
  pageTheme: person.pageTheme,
})

type PersonRow = Awaited<ReturnType<Prisma['person']['findUniqueOrThrow']>>

const withTeamName = <Row extends { team: { name: string } }>({ team, ...rest }: Row) => ({ team: team.name, ...rest })

/** Reads the tables that grow with use, in pages; other requests run between pages. */
async function readGrown(prisma: Prisma, personId: string) {
  const [own, id] = [{ personId }, { id: true }]
  const among = (rows: { id: string }[]) => ({ id: { in: rows.map((row) => row.id) } })
  const byTime = { at: 'desc' } as const
  const reverses = { alias: own }
  return {
    authorizations: await inPages(
      await prisma.authorization.findMany({ where: own, select: id, orderBy: newestFirst }),
      (some) => prisma.authorization.findMany({ where: among(some), select: ofApproval, orderBy: newestFirst }),
    ),
    securityEvents: await readSecurityEvents(prisma, personId),
    sessions: await inPages(await prisma.session.findMany({ where: own, select: id, orderBy: newestFirst }), (some) =>
      prisma.session.findMany({ where: among(some), select: ofSession, orderBy: newestFirst }),
    ),
    activities: await inPages(await prisma.activity.findMany({ where: own, select: id, orderBy: byTime }), (some) =>
      prisma.activity.findMany({ where: among(some), select: ofActivity, orderBy: byTime }),
    ),
    reverses: await inPages(
      await prisma.reverseAddress.findMany({ where: reverses, select: { token: true }, orderBy: newestFirst }),
      (some) => {
        const token = { in: some.map((row) => row.token) }
        return prisma.reverseAddress.findMany({ where: { token }, select: ofSender, orderBy: newestFirst })
      },
    ),
  }
}

/** Reads the security events about the person, which are stored by the identifiers of teams. */
async function readSecurityEvents(prisma: Prisma, personId: string) {
  const subjects = await prisma.subject.findMany({ where: { personId }, select: { sub: true } })
  const keys = await inPages(subjects, (some) =>
    prisma.securityEvent.findMany({ where: { sub: { in: some.map(({ sub }) => sub) } }, select: { id: true } }),
  )
  return inPages(keys, (some) => {
    const id = { in: some.map((key) => key.id) }
    return prisma.securityEvent.findMany({ where: { id }, select: ofEvent, orderBy: newestFirst })
  })
}

const page = 200

/** Reads the rows of all keys page by page, in the order of the keys. */
async function inPages<Key, Row>(keys: Key[], read: (some: Key[]) => Promise<Row[]>): Promise<Row[]> {
  const rows: Row[] = []
  for (let first = 0; first < keys.length; first += page) {
    rows.push(...(await read(keys.slice(first, first + page))))
    await nextTurn()
  }
  return rows
}

async function readPicture(prisma: Prisma, file: string | null) {
  if (file === null) return undefined
  return (await prisma.picture.findUnique({ where: { file }, select: { mediaType: true, bytes: true } })) ?? undefined
}

const appName = { select: { name: true } }
const newestFirst = { createdAt: 'desc' } as const

const ofApproval = {
  app: appName,
  scopes: true,
  emailChoice: true,
  createdAt: true,
  revokedAt: true,
  refreshUntil: true,
} as const
const ofSession = {
  createdAt: true,
  authenticatedAt: true,
  lastSeenAt: true,
  expiresAt: true,
  endedAt: true,
  amr: true,
  address: true,
  device: true,
  timeZone: true,
  english: true,
} as const
const ofActivity = { at: true, kind: true, detail: true, address: true, device: true } as const
const ofEvent = { appId: true, type: true, state: true, createdAt: true, triedAt: true } as const
const ofSender = { aliasName: true, target: true, createdAt: true, lastUsedAt: true } as const

/** Lists every column by name, so that a secret column added later is not exported. */
const everything = {
  // An empty hash marks a used code. Only codes for binding hold an address that is not confirmed yet.
  emailCodes: {
    where: { purpose: 'bind', NOT: { hash: '' } },
    select: { address: true, sentAt: true, expiresAt: true },
  },
  subjects: { select: { sub: true, createdAt: true, team: appName } },
  teamTokens: { select: { team: appName, name: true, createdAt: true, expiresAt: true, lastUsedAt: true } },
  registrationTokens: { select: { team: appName, name: true, createdAt: true, expiresAt: true } },
  movedSubjects: { select: { oldSub: true, newSub: true, until: true, transfer: { select: { app: appName } } } },
  memberships: { select: { team: appName, role: true, createdAt: true }, orderBy: newestFirst },
  trials: { select: { app: appName, startedAt: true } },
  consents: {
    select: {
      app: { select: { name: true, team: appName } },
      granted: true,
      declined: true,
      emailChoice: true,
      createdAt: true,
      updatedAt: true,
    },
    orderBy: newestFirst,
  },
  formerEmails: { select: { address: true, until: true }, orderBy: { until: 'desc' } },
  emailChanges: {
    select: { oldAddress: true, newAddress: true, changedAt: true, expiresAt: true, undoneAt: true },
    orderBy: { changedAt: 'desc' },
  },
  returnedMails: { select: { at: true }, orderBy: { at: 'desc' } },
  aliases: {
    select: {
      address: true,
      app: appName,
      byHand: true,
      label: true,
      note: true,
      createdAt: true,
      disabledAt: true,
      forwarded: true,
      blocked: true,
      replied: true,
      lastMailAt: true,
    },
    orderBy: newestFirst,
  },
  passkeys: { select: { name: true, createdAt: true, lastUsedAt: true, backedUp: true }, orderBy: newestFirst },
  totp: { select: { createdAt: true } },
  operator: { select: { grantedAt: true } },
  factorReset: { select: { reason: true, createdAt: true, dueAt: true } },
  recoveryCodes: { select: { createdAt: true, usedAt: true } },
} as const
