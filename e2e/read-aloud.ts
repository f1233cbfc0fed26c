import type { Page } from '@playwright/test'

/** A node that a screen reader announces, as the browser exposes it (Accessibility domain, CDP). */
type Spoken = { role: string; name: string; description: string; url: string; invalid: boolean }

type Value = { value?: unknown }
type Node = {
  ignored: boolean
  role?: Value
  name?: Value
  description?: Value
  properties?: { name: string; value: Value }[]
}

const controls = [
  'link',
  'button',
  'textbox',
  'searchbox',
  'combobox',
  'listbox',
  'checkbox',
  'radio',
  'slider',
  'Date',
]

/** Returns the problems in what a screen reader announces for the controls of this page. */
export async function problemsReadAloud(page: Page): Promise<string[]> {
  // The session stays open: detaching it would remove the page's virtual authenticator.
  const session = await page.context().newCDPSession(page)
  const { nodes } = (await session.send('Accessibility.getFullAXTree')) as unknown as { nodes: Node[] }
  const all = nodes.filter(({ ignored }) => !ignored).map(toSpoken)
  const spoken = all.filter(({ role }) => controls.includes(role))
  const count = (role: string) => all.filter((one) => one.role === role).length
  // An open dialog hides the rest of the page from a screen reader.
  const mains = count('dialog') > 0 ? 1 : count('main')
  const sameDoing = await page.evaluate(findSameDoing)
  return [
    ...(mains === 1 ? [] : [`${mains} main landmarks`]),
    ...spoken.filter(({ name }) => name.trim() === '').map(({ role }) => `a ${role} without a name`),
    ...spoken
      .filter(({ invalid, description }) => invalid && description.trim() === '')
      .map(({ role, name }) => `the ${role} “${name}” does not say what is wrong with it`),
    ...alike(spoken.filter(({ name }) => !sameDoing.includes(name))),
  ]
}

/**
 * Returns controls with equal announcements. In a list of links or buttons, equal names are only permitted for equal
 * actions.
 */
function alike(spoken: Spoken[]): string[] {
  const groups = Map.groupBy(
    spoken.filter(({ role }) => role === 'link' || role === 'button'),
    ({ role, name, description }) => `${role} “${name}” ${description}`.trim(),
  )
  return [...groups]
    .filter(
      ([, same]) => same.length > 1 && (same[0]?.role === 'button' || new Set(same.map(({ url }) => url)).size > 1),
    )
    .map(([said, same]) => `${same.length} times ${said}`)
}

/**
 * Returns the texts of buttons that send equal requests anywhere on the page, such as the languages in the footer and
 * in the profile.
 */
function findSameDoing(): string[] {
  const groups = Map.groupBy(document.querySelectorAll('button'), ({ textContent }) => textContent.trim())
  const sends = ({ form, name, value }: HTMLButtonElement) => [form?.getAttribute('action'), name, value].join()
  return [...groups].filter(([, same]) => new Set(same.map(sends)).size === 1 && same[0]?.name).map(([text]) => text)
}

const toSpoken = ({ role, name, description, properties = [] }: Node): Spoken => {
  const property = (wanted: string) => properties.find((one) => one.name === wanted)?.value.value
  const text = (value: Value | undefined) => String(value?.value ?? '')
  return {
    role: text(role),
    name: text(name),
    description: text(description),
    url: String(property('url') ?? ''),
    invalid: property('invalid') === 'true',
  }
}
