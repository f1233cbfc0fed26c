import type { FindTexts, TeamDomainStore } from '#lib/console/domain/team-domain'
import type { AppMail } from '#lib/console/mail/app-mail'
import { appMailDomains } from '#lib/db/domains/app-mail-domains'
import { teamDomainStore } from '#lib/db/domains/team-domain-store'
import { appMailStore } from '#lib/db/relay/app-mail-store'
import { mailDomainStore } from '#lib/db/relay/mail-domain-store'
import { findTexts, limitResolver, type Resolver } from '#lib/relay/dns/resolver'
import { checkMailDomain, losesProofAt, makeProof, proofRecord } from '#lib/relay/sender-domains/mail-domain'
import type { Parts } from './parts.ts'

/** The storage of domains, and the look-up of their proofs in DNS. */
export type ProofParts = { teamDomains: TeamDomainStore; appMail: AppMail; findTexts: FindTexts }

/** Composes what the console needs to prove domains. */
export const composeProofs = (parts: Parts): ProofParts => ({
  teamDomains: teamDomainStore(parts.database.prisma),
  appMail: composeAppMail(parts),
  findTexts: (name) => findTexts(limited(parts.resolver), name),
})

/** A look-up ends after five seconds, well before the deadline of the request that waits for it. */
const limited = (resolver: Resolver): Resolver => limitResolver(resolver, { questions: 1, milliseconds: 5000 })

const mostRefusals = 20

function composeAppMail({ database: { prisma }, resolver, random, now }: Parts): AppMail {
  const store = mailDomainStore(prisma)
  return {
    ...appMailDomains(prisma, () => makeProof(random)),
    async listDomains(appId) {
      return (await store.listDomains(appId)).map(({ proof, domain, checkedAt, verifiedAt }) => {
        const isMissed = verifiedAt && checkedAt && checkedAt > verifiedAt
        const record = proofRecord({ domain, proof })
        return { domain, record, checkedAt, verifiedAt, losesProofAt: isMissed ? losesProofAt(verifiedAt) : undefined }
      })
    },
    async listRefusals(appId) {
      const refusals = await appMailStore(prisma).listRefusals(appId, mostRefusals)
      return refusals.map(({ code, reason, detail, count, lastAt }) => ({
        ...{ code, reason, count, lastAt },
        results: String((detail as { results?: unknown }).results ?? ''),
      }))
    },
    async check(appId, name) {
      const domain = (await store.listDomains(appId)).find((one) => one.domain === name)
      return domain && checkMailDomain(domain, { store, resolver: limited(resolver), now: now() })
    },
  }
}
