import { apiOperations } from '#lib/console/api/operations/apis'
import { appOperations } from '#lib/console/api/operations/apps'
import { credentialOperations } from '#lib/console/api/operations/credentials'
import { domainOperations } from '#lib/console/api/operations/domains'
import { eventOperations } from '#lib/console/api/operations/events'
import { failureOperations } from '#lib/console/api/operations/failures'
import { mailOperations } from '#lib/console/api/operations/mail'
import { memberOperations } from '#lib/console/api/operations/members'
import { registrationTokenOperations } from '#lib/console/api/operations/registration-tokens'
import { teamOperations } from '#lib/console/api/operations/team'
import { transferOperations } from '#lib/console/api/operations/transfers'
import { usageOperations } from '#lib/console/api/operations/usage'
import type { Operation } from './operation.ts'

/** Every operation of the API, in the order of its document. */
export const operations: readonly Operation[] = [
  ...teamOperations,
  ...memberOperations,
  ...appOperations,
  ...credentialOperations,
  ...apiOperations,
  ...failureOperations,
  ...domainOperations,
  ...mailOperations,
  ...eventOperations,
  ...registrationTokenOperations,
  ...transferOperations,
  ...usageOperations,
]
