import type { Recorded } from '#lib/account/activity/recorded'
import type { NewPerson, NewPicture, PeopleStore, PersonDetails } from '#lib/account/person/people-store'
import { AddressReserved, refuseReserved } from '#lib/db/email/previous-address'
import { isUniqueConflict, type Prisma } from '#lib/db/engine/client'
import { queueEvent, queueForSharing } from '#lib/db/events/queue-events'
import type { Prisma as Generated } from '#lib/db/generated/sqlite/client'
import { endSessions, revokeAuthorizations } from '#lib/db/logout/end-access'
import { recordAct } from '#lib/db/operators/operator-acts'

/** The maximum number of usernames that are compared to suggest a similar one. */
const mostNames = 10_000

/** Manages people for the operator. */
export function makePeopleStore(prisma: Prisma): PeopleStore {
  return {
    async list() {
      const select = { username: true, createdAt: true, disabledAt: true }
      return prisma.person.findMany({ select, orderBy: { username: 'asc' } })
    },
    find: (name, now) => find(prisma, name, now),
    create: (person, recorded) => create(prisma, person, recorded),
    async names() {
      const rows = await prisma.person.findMany({
        select: { username: true },
        orderBy: { username: 'asc' },
        take: mostNames,
      })
      return rows.map(({ username }) => username)
    },
    setDisabled: (username, isDisabled, recorded) => setDisabled(prisma, username, isDisabled, recorded),
    setPicture: (username, picture, recorded) => setPicture(prisma, username, picture, recorded),
  }
}

async function find(
  prisma: Prisma,
  where: { username: string } | { email: string },
  now: Date,
): Promise<PersonDetails | undefined> {
  const row = await prisma.person.findUnique({
    where,
    include: {
      totp: { select: { createdAt: true } },
      sessions: {
        where: { endedAt: null, expiresAt: { gt: now } },
        select: { lastSeenAt: true },
        orderBy: { lastSeenAt: 'desc' },
      },
      _count: {
        select: {
          passkeys: true,
          consents: true,
          recoveryCodes: { where: { usedAt: null } },
        },
      },
    },
  })
  if (!row) return undefined
  const { id, username, email, name, locale, createdAt, disabledAt } = row
  return {
    ...{ id, username, email, name, locale, createdAt, disabledAt },
    hasPicture: row.avatarFile !== null,
    passwordHash: row.passwordHash ?? undefined,
    deleteAfter: row.deleteAfter,
    authenticatorSince: row.totp?.createdAt ?? null,
    passkeys: row._count.passkeys,
    recoveryCodesLeft: row._count.recoveryCodes,
    sessions: row.sessions.length,
    lastSeenAt: row.sessions[0]?.lastSeenAt ?? null,
    apps: row._count.consents,
  }
}

const unset = { nickname: '', biography: '', gender: '', birthdate: '', region: '' }

/** The unique keys decide: when two commands run at once, one creates the person. */
async function create(prisma: Prisma, person: NewPerson, recorded: Recorded) {
  const times = { profileUpdatedAt: recorded.at, createdAt: recorded.at }
  try {
    await prisma.$transaction(async (tx) => {
      await tx.person.create({ data: { ...unset, ...person, ...times } })
      if (person.email !== null) await refuseReserved(tx, person.email, { personId: person.id, now: recorded.at })
      await recordAct(tx, person.id, 'created', recorded)
    })
    return 'created'
  } catch (fault) {
    if (fault instanceof AddressReserved) return 'email reserved'
    if (!isUniqueConflict(fault)) throw fault
    const isNameTaken = (await prisma.person.count({ where: { username: person.username } })) > 0
    return isNameTaken ? 'username taken' : 'email taken'
  }
}

function setDisabled(prisma: Prisma, username: string, isDisabled: boolean, recorded: Recorded): Promise<boolean> {
  const change = async (tx: Generated.TransactionClient) => {
    const person = await tx.person.findUnique({ where: { username }, select: { id: true } })
    if (!person) return false
    const outcome = await changeDisabled(tx, person.id, isDisabled, recorded.at)
    if (outcome === 'changed') await recordAct(tx, person.id, isDisabled ? 'disabled' : 'enabled', recorded)
    return outcome !== 'unknown'
  }
  // Prisma allows a transaction five seconds; a person with tens of thousands of sessions can take longer.
  return prisma.$transaction(change, { timeout: 60_000 })
}

/**
 * Disables a person and ends their sessions and tokens, or enables the person. A person who is disabled already keeps the
 * earlier time.
 */
export async function changeDisabled(
  tx: Generated.TransactionClient,
  id: string,
  isDisabled: boolean,
  now: Date,
): Promise<'changed' | 'same' | 'unknown'> {
  const person = await tx.person.findUnique({ where: { id }, select: { deleteAfter: true } })
  if (!person) return 'unknown'
  const { count } = await tx.person.updateMany({
    where: { id, disabledAt: isDisabled ? null : { not: null } },
    data: { disabledAt: isDisabled ? now : null },
  })
  const about = { personId: id }
  if (isDisabled) {
    await endSessions(tx, about, now)
    await revokeAuthorizations(tx, about, now)
    await queueEvent(tx, about, { type: 'account-disabled', claims: {} }, now)
  } else if (count === 1 && person.deleteAfter === null)
    await queueForSharing(tx, about, { type: 'account-enabled', claims: {} }, now)
  return count === 1 ? 'changed' : 'same'
}

function setPicture(prisma: Prisma, username: string, picture: NewPicture, recorded: Recorded): Promise<boolean> {
  const now = recorded.at
  return prisma.$transaction(async (tx) => {
    const person = await tx.person.findUnique({ where: { username }, select: { id: true, avatarFile: true } })
    if (!person) return false
    await tx.picture.create({ data: { ...picture, createdAt: now } })
    await tx.person.update({ where: { username }, data: { avatarFile: picture.file, profileUpdatedAt: now } })
    if (person.avatarFile) await tx.picture.deleteMany({ where: { file: person.avatarFile } })
    await recordAct(tx, person.id, 'picture_set', recorded)
    return true
  })
}
