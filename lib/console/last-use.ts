export type Credential = { createdAt: Date; lastUsedAt: Date | null }

/**
 * Returns when a credential was last used, as the console says it. A use is stored as the hour that it is in, which can begin
 * before the credential was made.
 */
export const lastUse = ({ createdAt, lastUsedAt }: Credential): Date | undefined =>
  lastUsedAt && lastUsedAt < createdAt ? createdAt : (lastUsedAt ?? undefined)
