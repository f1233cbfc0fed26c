/** Groups consecutive entries of one day (UTC), in order. */
export function groupByDay<Item extends { at: Date }>(items: readonly Item[]): { day: string; items: Item[] }[] {
  const groups: { day: string; items: Item[] }[] = []
  for (const item of items) {
    const day = dayOf(item.at)
    const group = groups.at(-1)
    if (group?.day === day) group.items.push(item)
    else groups.push({ day, items: [item] })
  }
  return groups
}

/** Returns the date of a moment in ISO 8601. */
export const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10)
