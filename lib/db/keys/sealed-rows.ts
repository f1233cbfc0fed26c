import type { Prisma } from '#lib/db/engine/client'
import type { SealedRows } from '#lib/keys/reseal'

const take = 200

/**
 * The sealed columns that must outlive a master key: private keys, the secrets of authenticator apps and of event
 * receivers. Leaves out empty values: a receiver without one, and values that were lost with their master key.
 */
export const sealedRows = (prisma: Prisma): SealedRows[] => [
  {
    purpose: 'signing-key-at-rest',
    async list(after) {
      const where = { kid: { gt: after }, sealedPrivate: { not: '' } }
      const keys = await prisma.signingKey.findMany({ where, orderBy: { kid: 'asc' }, take })
      return keys.map(({ kid, sealedPrivate }) => ({ id: kid, sealed: sealedPrivate }))
    },
    async replace(kid, sealedPrivate, renewed) {
      await prisma.signingKey.updateMany({ where: { kid, sealedPrivate }, data: { sealedPrivate: renewed } })
    },
  },
  {
    purpose: 'mail-key-at-rest',
    async list(after) {
      const where = { selector: { gt: after }, sealedPrivate: { not: '' } }
      const keys = await prisma.mailKey.findMany({ where, orderBy: { selector: 'asc' }, take })
      return keys.map(({ selector, sealedPrivate }) => ({ id: selector, sealed: sealedPrivate }))
    },
    async replace(selector, sealedPrivate, renewed) {
      await prisma.mailKey.updateMany({ where: { selector, sealedPrivate }, data: { sealedPrivate: renewed } })
    },
  },
  {
    purpose: 'totp-of-person',
    async list(after) {
      const where = { personId: { gt: after }, sealedSecret: { not: '' } }
      const secrets = await prisma.totp.findMany({ where, orderBy: { personId: 'asc' }, take })
      return secrets.map(({ personId, sealedSecret }) => ({ id: personId, sealed: sealedSecret }))
    },
    async replace(personId, sealedSecret, renewed) {
      await prisma.totp.updateMany({ where: { personId, sealedSecret }, data: { sealedSecret: renewed } })
    },
  },
  {
    purpose: 'event-receiver',
    async list(after) {
      const where = { appId: { gt: after }, sealedAuthorization: { not: '' } }
      const receivers = await prisma.eventReceiver.findMany({ where, orderBy: { appId: 'asc' }, take })
      return receivers.map(({ appId, sealedAuthorization }) => ({ id: appId, sealed: sealedAuthorization }))
    },
    async replace(appId, sealedAuthorization, renewed) {
      const data = { sealedAuthorization: renewed }
      await prisma.eventReceiver.updateMany({ where: { appId, sealedAuthorization }, data })
    },
  },
]
