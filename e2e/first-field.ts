import type { Page } from '@playwright/test'

/**
 * The pages that do not open with the focus on their first empty field, with the reason (docs/design/accessibility.md). A page
 * that is not here has one purpose, its form, and its field is in view.
 */
const exceptions: readonly [path: RegExp, reason: string][] = [
  [/^\/account\/data\/delete$/, 'what the deletion removes comes first, and the field is below it'],
  [/^\/account\/security\/authenticator$/, 'the QR code comes first, and the field is below it'],
  [/^\/console\/teams\/[^/]+\/apps\/[^/]+\/transfer$/, 'what the transfer changes comes first'],
  [/^\/consent$/, 'what the app will see comes first'],
  [/^\/recover\/review$/, 'the list of devices and apps comes first'],
  [/^\/console\/teams\/[^/]+\/apps\/[^/]+\/(try|mail|events)$/, 'the form is one part of a page that reports'],
  [
    /^\/(account\/activity|account\/hide-my-email|admin|admin\/teams|console\/teams\/[^/]+)$/,
    'the search is over a list',
  ],
  [/^\/admin\/(invitations|scopes|people\/.+|teams\/.+|apps\/.+)$/, 'the form is beside a list or facts'],
  [/^\/console\/teams\/[^/]+\/(members|api)$/, 'the form is beside a list'],
  [/^\/account\/(profile|email|apps\/[^/]+|hide-my-email\/(?!new$)[^/]+)$/, 'settings with several forms'],
  [
    /^\/console\/teams\/[^/]+\/(settings|domain|apis|apps\/[^/]+\/(settings|credentials))$/,
    'settings with several forms',
  ],
]

/**
 * Returns what is wrong with the focus of a page that has just opened: the first empty field has it, and nothing is
 * scrolled. A page that answers a form shows its result or its problem, and the focus is there.
 */
export async function wrongFocus(page: Page): Promise<string[]> {
  const { pathname } = new URL(page.url())
  return exceptions.some(([path]) => path.test(pathname)) ? [] : faults(page)
}

const faults = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const main = document.querySelector('main')
    if (!main || main.querySelector('[role=alert], [role=status]:not(:empty), [aria-invalid=true], dialog[open]'))
      return []
    const fields = [...main.querySelectorAll<HTMLInputElement>('input:not([readonly]), textarea, select')].filter(
      (field) => !/^(hidden|radio|checkbox|file|range|submit)$/.test(field.type) && field.checkVisibility(),
    )
    const first = fields.find(({ value }) => value === '')
    if (!first) return []
    const { top, bottom } = first.getBoundingClientRect()
    return [
      ...(document.activeElement === first ? [] : [`${first.name} has no focus`]),
      ...(scrollY === 0 ? [] : [`the page is scrolled by ${scrollY}`]),
      ...(top >= 0 && bottom <= innerHeight ? [] : [`${first.name} is not in view`]),
    ]
  })
