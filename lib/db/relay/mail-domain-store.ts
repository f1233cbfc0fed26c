import type { Prisma } from '#lib/db/engine/client'
import type { MailDomain, MailDomainStore } from '#lib/relay/sender-domains/mail-domain'

/** Stores the sender domains of apps, with the proofs of ownership. */
export const mailDomainStore = (prisma: Prisma): MailDomainStore => ({
  async listDomains(appId) {
    return (await prisma.mailDomain.findMany({ where: { appId }, orderBy: { domain: 'asc' } })).map(read)
  },
  async verifiedDomains(appId) {
    const rows = await prisma.mailDomain.findMany({
      where: { appId, verifiedAt: { not: null } },
      select: { domain: true },
      orderBy: { domain: 'asc' },
    })
    return rows.map(({ domain }) => domain)
  },
  async listDue(checkedBefore, most) {
    const rows = await prisma.mailDomain.findMany({
      where: { OR: [{ checkedAt: null }, { checkedAt: { lte: checkedBefore } }] },
      orderBy: { checkedAt: { sort: 'asc', nulls: 'first' } },
      take: most,
    })
    return rows.map(read)
  },
  async noteProof({ appId, domain }, state, { now, lostBefore }) {
    const where = { appId, domain }
    const seen = state === 'found' ? { verifiedAt: now } : {}
    await prisma.mailDomain.updateMany({ where, data: { checkedAt: now, ...seen } })
    if (state !== 'missing') return
    // The condition is part of the statement: another process may verify the proof at the same moment.
    await prisma.mailDomain.updateMany({
      where: { ...where, verifiedAt: { lte: lostBefore } },
      data: { verifiedAt: null },
    })
  },
})

type Row = { [Field in keyof MailDomain]: undefined extends MailDomain[Field] ? Date | null : MailDomain[Field] }

const read = (row: Row): MailDomain => ({
  ...row,
  checkedAt: row.checkedAt ?? undefined,
  verifiedAt: row.verifiedAt ?? undefined,
})
