/** A new pairwise identifier: random, so nothing can be derived from it (specification §2.4). */
export const newSubject = (random: (bytes: number) => Buffer): string => random(24).toString('base64url')
