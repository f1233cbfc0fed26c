import type { IconName } from '#app/_ui/icon.tsx'

/** The sections of the account pages, in the order of the navigation. */
export const sections = [
  { key: 'profile', path: '/account', icon: 'person' },
  { key: 'email', path: '/account/email', icon: 'mail' },
  { key: 'hideMyEmail', path: '/account/hide-my-email', icon: 'mask' },
  { key: 'security', path: '/account/security', icon: 'key' },
  { key: 'apps', path: '/account/apps', icon: 'app' },
  { key: 'activity', path: '/account/activity', icon: 'clock' },
  { key: 'data', path: '/account/data', icon: 'download' },
] as const satisfies { key: string; path: string; icon: IconName }[]

/**
 * Returns whether a path belongs to a section, subpages included. The path of the first section is a prefix of all
 * others, so that section has no subpages.
 */
export const isCurrent = (section: string, path: string): boolean =>
  path === section || (section !== '/account' && path.startsWith(`${section}/`))
