import type { Prisma as Statement } from '#lib/db/generated/sqlite/client'
import type { CredentialChange } from '#lib/oauth/events/event-types'
import { queueEvent } from './queue-events.ts'

type Change = { credential: CredentialChange['credential_type']; change: CredentialChange['change_type'] }

/** Queues the event credential-change (CAEP 1.0 §3.3), in the transaction of the change. */
export const queueCredentialChange = (
  tx: Statement.TransactionClient,
  personId: string,
  { credential, change }: Change,
  now: Date,
): Promise<void> =>
  queueEvent(
    tx,
    { personId },
    { type: 'credential-change', claims: { credential_type: credential, change_type: change } },
    now,
  )
