import type { Context } from '#lib/server/compose/context'

/** Carries out the resets of factors whose wait is over, and writes to their people. */
export async function resetFactors({
  factorResets,
  letters,
  now,
}: Pick<Context, 'factorResets' | 'letters' | 'now'>): Promise<void> {
  for (const personId of await factorResets.findDue(now(), 50)) {
    const person = await factorResets.carryOut(personId, now())
    if (person) void letters.factorsReset({ to: person.email, username: person.username, locale: person.locale })
  }
}
