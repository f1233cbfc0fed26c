const page = 20

/**
 * Works on everything that is due, page by page, and returns how many were completed. `work` returns whether it completed
 * one. One that fails does not keep the rest of its page from their turn; its error is thrown after them.
 */
export async function eachDue<T>(
  findDue: (most: number) => Promise<T[]>,
  work: (one: T) => Promise<boolean>,
  goOn: () => boolean,
): Promise<number> {
  let total = 0
  let due: T[]
  let completed: number
  do {
    due = await findDue(page)
    completed = 0
    const faults: unknown[] = []
    for (const one of due) {
      if (!goOn()) return total + completed
      try {
        if (await work(one)) completed += 1
      } catch (fault) {
        faults.push(fault)
      }
    }
    total += completed
    if (faults.length > 0) throw faults[0]
    // A page of which nothing was completed would be found again at once.
  } while (due.length === page && completed > 0)
  return total
}
