import type { PersonalDataStore } from '#lib/account/personal-data'
import type { Prisma } from './client.ts'

/** Reads all there is of one person; every table that names people is asked. */
export const personalDataStore = (prisma: Prisma): PersonalDataStore => ({
  async read(personId) {
    const person = await prisma.person.findUniqueOrThrow({ where: { id: personId }, include: everything })
    const { username, email, createdAt, disabledAt, deleteAfter, mailPausedAt, profileUpdatedAt } = person
    const { name, nickname, biography, gender, birthdate, region, locale } = person
    return {
      account: {
        username,
        email,
        hasPassword: person.passwordHash !== null,
        createdAt,
        profileUpdatedAt,
        disabledAt,
        deleteAfter,
        mailPausedAt,
      },
      profile: { name, nickname, biography, gender, birthdate, region, locale },
      picture: await readPicture(prisma, person.avatarFile),
      waitingEmails: person.emailCodes,
      formerEmails: person.formerEmails,
      returnedMail: person.returnedMails.map(({ at }) => at),
      identifiers: person.subjects.map(({ team, sub, createdAt: since }) => ({ team: team.name, sub, since })),
      apps: person.consents.map(({ app, granted, declined, ...rest }) => ({
        app: app.name,
        team: app.team.name,
        sees: granted.split(' ').filter(Boolean),
        keptBack: declined.split(' ').filter(Boolean),
        ...rest,
      })),
      approvals: person.authorizations.map(({ app, scopes, ...rest }) => ({
        app: app.name,
        scopes: scopes.split(' '),
        ...rest,
      })),
      hideMyEmail: person.aliases.map(({ app, reverses, ...alias }) => ({
        ...alias,
        app: app?.name ?? null,
        senders: reverses.map(({ target, createdAt: since, lastUsedAt }) => ({ address: target, since, lastUsedAt })),
      })),
      sessions: person.sessions,
      passkeys: person.passkeys,
      secondFactor: { authenticatorAppSince: person.totp?.createdAt ?? null, recoveryCodes: person.recoveryCodes },
      activity: person.activities.map(({ detail, ...activity }) => ({ ...activity, detail: JSON.parse(detail) })),
    }
  },
})

async function readPicture(prisma: Prisma, file: string | null) {
  if (file === null) return undefined
  return (await prisma.picture.findUnique({ where: { file }, select: { mediaType: true, bytes: true } })) ?? undefined
}

const appName = { select: { name: true } }
const newestFirst = { createdAt: 'desc' } as const

/** Columns are named one by one: a secret that is added to a table later does not come along. */
const everything = {
  // A code without a hash was used, and only binding asks about an address that is not confirmed yet.
  emailCodes: {
    where: { purpose: 'bind', NOT: { hash: '' } },
    select: { address: true, sentAt: true, expiresAt: true },
  },
  subjects: { select: { sub: true, createdAt: true, team: appName } },
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
  authorizations: {
    select: { app: appName, scopes: true, emailChoice: true, createdAt: true, revokedAt: true, refreshUntil: true },
    orderBy: newestFirst,
  },
  formerEmails: { select: { address: true, until: true }, orderBy: { until: 'desc' } },
  returnedMails: { select: { at: true }, orderBy: { at: 'desc' } },
  aliases: {
    select: {
      address: true,
      app: appName,
      createdAt: true,
      disabledAt: true,
      forwarded: true,
      blocked: true,
      replied: true,
      lastMailAt: true,
      reverses: { select: { target: true, createdAt: true, lastUsedAt: true }, orderBy: newestFirst },
    },
    orderBy: newestFirst,
  },
  sessions: {
    select: {
      createdAt: true,
      authenticatedAt: true,
      lastSeenAt: true,
      expiresAt: true,
      endedAt: true,
      amr: true,
      address: true,
      device: true,
    },
    orderBy: newestFirst,
  },
  passkeys: { select: { name: true, createdAt: true, lastUsedAt: true, backedUp: true }, orderBy: newestFirst },
  totp: { select: { createdAt: true } },
  recoveryCodes: { select: { createdAt: true, usedAt: true } },
  activities: { select: { at: true, kind: true, detail: true, address: true, device: true }, orderBy: { at: 'desc' } },
} as const
