export type Credential = { createdAt: Date; lastUsedAt: Date | null }

/** Returns the last use of a credential, not before its creation. Uses are stored rounded down to the hour. */
export const lastUse = ({ createdAt, lastUsedAt }: Credential): Date | undefined =>
  lastUsedAt && lastUsedAt < createdAt ? createdAt : (lastUsedAt ?? undefined)
