import type { IconName } from '#app/_ui/icon.tsx'
import { adminHome } from '#lib/admin/paths'
import { consoleHome } from '#lib/console/paths'

/** The sections of the account pages, in the order of the navigation, and the ways to the console and to the pages of operators. */
const sections = [
  { key: 'overview', path: '/account', icon: 'home' },
  { key: 'profile', path: '/account/profile', icon: 'person' },
  { key: 'email', path: '/account/email', icon: 'mail' },
  { key: 'hideMyEmail', path: '/account/hide-my-email', icon: 'mask' },
  { key: 'security', path: '/account/security', icon: 'key' },
  { key: 'apps', path: '/account/apps', icon: 'app' },
  { key: 'activity', path: '/account/activity', icon: 'clock' },
  { key: 'data', path: '/account/data', icon: 'download' },
  { key: 'console', path: consoleHome, icon: 'team' },
  { key: 'operators', path: adminHome, icon: 'shield' },
] as const satisfies { key: string; path: string; icon: IconName }[]

/** What the navigation offers beyond the sections that every account has. */
export type Offers = { relay: boolean; console: boolean; operators: boolean }

export const sectionsFor = ({ relay, console, operators }: Offers) => {
  const offered: Partial<Record<(typeof sections)[number]['key'], boolean>> = { hideMyEmail: relay, console, operators }
  return sections.filter(({ key }) => offered[key] ?? true)
}

/**
 * Returns whether a path belongs to a section, subpages included. The path of the first section is a prefix of all
 * others, so that section has no subpages.
 */
export const isCurrent = (section: string, path: string): boolean =>
  path === section || (section !== '/account' && path.startsWith(`${section}/`))
