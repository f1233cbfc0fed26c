import { dayOf } from '#lib/text/region/time-form'

/** Groups consecutive entries of one day of a time zone, in order. */
export function groupByDay<Item extends { at: Date }>(
  items: readonly Item[],
  timeZone: string,
): { day: string; items: Item[] }[] {
  const groups: { day: string; items: Item[] }[] = []
  for (const item of items) {
    const day = dayOf(item.at, timeZone)
    const group = groups.at(-1)
    if (group?.day === day) group.items.push(item)
    else groups.push({ day, items: [item] })
  }
  return groups
}
