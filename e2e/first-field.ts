import type { Page } from '@playwright/test'

type Listed = readonly [path: RegExp, reason: string]

/** The pages on which something has to be read first: no field has the focus, and nothing is scrolled (docs/design/accessibility.md). */
const readFirst: readonly Listed[] = [
  [/^\/account\/data\/delete$/, 'what the deletion removes and keeps'],
  [/^\/account\/security\/authenticator$/, 'the QR code'],
  [/^\/console\/teams\/[^/]+\/apps\/[^/]+\/transfer$/, 'what the transfer changes'],
  [/^\/undo-email$/, 'what was changed, and what the undo ends'],
]

/** The pages whose purpose is more than one form. */
const elsewhere: readonly Listed[] = [
  [/^\/consent$/, 'the consent is the purpose, and the name of a person who has none is one part of it'],
  [/^\/recover\/review$/, 'the list of devices and apps is the purpose'],
  [/^\/console\/teams\/[^/]+\/apps\/[^/]+\/(try|mail|events)$/, 'the form is one part of a page that reports'],
  [/^\/(account\/activity|account\/hide-my-email|admin|admin\/teams|console\/teams\/[^/]+)$/, 'a search over a list'],
  [/^\/admin\/(invitations|scopes|people\/.+|teams\/.+|apps\/.+)$/, 'a form beside a list or facts'],
  [/^\/console\/teams\/[^/]+\/(members|api)$/, 'a form beside a list'],
  [/^\/account\/(profile|email|apps\/[^/]+|hide-my-email\/(?!new$)[^/]+)$/, 'settings'],
  [/^\/console\/teams\/[^/]+\/(settings|domain|apis|apps\/[^/]+\/(settings|credentials))$/, 'settings'],
]

/** Returns what is wrong with the focus of a page that has just opened. */
export async function wrongFocus(page: Page): Promise<string[]> {
  const { pathname } = new URL(page.url())
  const isIn = (list: readonly Listed[]) => list.some(([path]) => path.test(pathname))
  if (isIn(elsewhere)) return []
  // A page that has just loaded gives its field the focus before the next frame (HTML §8.1.7.3, "flush autofocus candidates").
  await page.evaluate(() => new Promise(requestAnimationFrame))
  return page.evaluate(faultsOf, isIn(readFirst))
}

/**
 * Returns the faults of the page: the first empty field has the focus unless something is to be read first, and nothing is
 * scrolled. A page that answers a form is exempt, and so is one on which the walk has opened a part.
 */
function faultsOf(isReadFirst: boolean): string[] {
  const main = document.querySelector('main')
  const answer = '[role=alert], [role=status]:not(:empty), [aria-invalid=true], dialog[open]'
  const { activeElement } = document
  if (!main || main.querySelector(answer) || activeElement?.matches('summary')) return []
  const fields = [...main.querySelectorAll<HTMLInputElement>('input:not([readonly]), textarea, select')].filter(
    (field) => !/^(hidden|radio|checkbox|file|range|submit)$/.test(field.type) && field.checkVisibility(),
  )
  const first = fields.find(({ value }) => value === '')
  if (!first) return []
  // The choices stand above a code whose last digit sends the form; a passkey is the first way to sign in.
  const before = main.querySelector('form [name=lost], [data-passkey]')
  const hasBefore = before && before.compareDocumentPosition(first) & Node.DOCUMENT_POSITION_FOLLOWING
  const shouldFocus = !isReadFirst && !hasBefore
  const { top, bottom } = first.getBoundingClientRect()
  return [
    ...((activeElement === first) === shouldFocus ? [] : [`${first.name} has ${shouldFocus ? 'no' : 'the'} focus`]),
    ...(scrollY === 0 ? [] : [`the page is scrolled by ${scrollY}`]),
    ...(!shouldFocus || (top >= 0 && bottom <= innerHeight) ? [] : [`${first.name} is not in view`]),
  ]
}
