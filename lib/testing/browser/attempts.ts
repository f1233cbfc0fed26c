import type { Context } from '#lib/server/compose/context'

/** Sets the count of a key, as failed attempts would, and blocks the key for `held` seconds. */
export async function failBefore({ database, now }: Context, key: string, points: number, held = 0) {
  const at = now().getTime()
  const row = { points, expire: new Date(at + 3_600_000), heldUntil: at + held * 1000 }
  await database.prisma.attempt.upsert({ where: { key }, create: { key, ...row }, update: row })
}
