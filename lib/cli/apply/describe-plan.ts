import type { Plan } from '#lib/db/provision/provision-plan'

/** Returns one line for each change and each changed field. */
export function describePlan({ steps }: Plan): string[] {
  return steps.flatMap(({ change, differences }) => {
    const head = `${change.op === 'create' ? '+' : '~'} ${change.kind} ${change.id}`
    if (change.op === 'create') return [head]
    return [
      head,
      ...differences.map(({ field, before, after }) => `    ${wireName(field)}: ${show(before)} → ${show(after)}`),
    ]
  })
}

/** Returns the name that the field has in the file. */
export const wireName = (field: string) => field.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)

const show = (value: unknown) => {
  const text = JSON.stringify(value ?? '')
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
