import { type Credential, lastUse } from '#lib/console/last-use'

/** The steps of a rotation, in their order. */
export const rotationSteps = ['add', 'change', 'wait', 'remove'] as const
type RotationStep = (typeof rotationSteps)[number]

/** The time without a use after which a credential counts as no longer used; uses are stored to the hour. */
const quiet = 24 * 3_600_000

/** Returns the present step of the rotation of an app's credentials, and the last use of the old one. */
export function rotationStep(
  credentials: readonly Credential[],
  now: Date,
): { step: RotationStep; oldUsedAt: Date | undefined } {
  const [newest, ...old] = credentials.toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime())
  if (!newest || old.length === 0) return { step: 'add', oldUsedAt: undefined }
  const uses = old.flatMap((one) => lastUse(one)?.getTime() ?? [])
  const oldUsedAt = uses.length > 0 ? new Date(Math.max(...uses)) : undefined
  if (!newest.lastUsedAt) return { step: 'change', oldUsedAt }
  const isUsed = oldUsedAt !== undefined && now.getTime() - oldUsedAt.getTime() < quiet
  return { step: isUsed ? 'wait' : 'remove', oldUsedAt }
}
