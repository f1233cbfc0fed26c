import type { FindTexts, TeamDomainStore } from '#lib/console/domain/team-domain'
import { teamDomainStore } from '#lib/db/domains/team-domain-store'
import { findTexts, limitResolver, type Resolver } from '#lib/relay/dns/resolver'
import type { Parts } from './parts.ts'

/** The storage of domains, and the look-up of their proofs in DNS. */
export type ProofParts = { teamDomains: TeamDomainStore; findTexts: FindTexts }

/** Composes what the console needs to prove domains. */
export const composeProofs = ({ database: { prisma }, resolver }: Parts): ProofParts => ({
  teamDomains: teamDomainStore(prisma),
  findTexts: limitedTexts(resolver),
})

/** A look-up ends after five seconds, well before the deadline of the request that waits for it. */
const limitedTexts =
  (resolver: Resolver): FindTexts =>
  (name) =>
    findTexts(limitResolver(resolver, { questions: 1, milliseconds: 5000 }), name)
