import type { IconName } from '#app/_ui/icon.tsx'
import { consoleHome } from '#lib/console/paths'

/** The sections of the account pages, in the order of the navigation, and the way to the console. */
const sections = [
  { key: 'profile', path: '/account', icon: 'person' },
  { key: 'email', path: '/account/email', icon: 'mail' },
  { key: 'hideMyEmail', path: '/account/hide-my-email', icon: 'mask' },
  { key: 'security', path: '/account/security', icon: 'key' },
  { key: 'apps', path: '/account/apps', icon: 'app' },
  { key: 'activity', path: '/account/activity', icon: 'clock' },
  { key: 'data', path: '/account/data', icon: 'download' },
  { key: 'console', path: consoleHome, icon: 'team' },
] as const satisfies { key: string; path: string; icon: IconName }[]

/** What the navigation offers beyond the sections that every account has. */
export type Offers = { relay: boolean; console: boolean }

export const sectionsFor = (offers: Offers) =>
  sections.filter(({ key }) => (key !== 'hideMyEmail' || offers.relay) && (key !== 'console' || offers.console))

/**
 * Returns whether a path belongs to a section, subpages included. The path of the first section is a prefix of all
 * others, so that section has no subpages.
 */
export const isCurrent = (section: string, path: string): boolean =>
  path === section || (section !== '/account' && path.startsWith(`${section}/`))
