import type { Context } from '#lib/server/compose/context'
import { eachDue } from './each-due.ts'

/** Carries out the resets of factors whose wait is over, writes to their people, and returns the number of resets. */
export function resetFactors(
  { factorResets, letters, now }: Pick<Context, 'factorResets' | 'letters' | 'now'>,
  goOn = () => true,
): Promise<number> {
  const reset = async (personId: string) => {
    const person = await factorResets.carryOut(personId, now())
    if (person) void letters.factorsReset({ to: person.email, username: person.username, locale: person.locale })
    return person !== undefined
  }
  return eachDue((most) => factorResets.findDue(now(), most), reset, goOn)
}
