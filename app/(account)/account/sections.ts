import type { IconName } from '#app/_ui/icon.tsx'

/** The pages of an account, in the order of the rail. */
export const sections = [
  { key: 'profile', path: '/account', icon: 'person' },
  { key: 'email', path: '/account/email', icon: 'mail' },
  { key: 'hideMyEmail', path: '/account/hide-my-email', icon: 'mask' },
  { key: 'security', path: '/account/security', icon: 'key' },
  { key: 'apps', path: '/account/apps', icon: 'app' },
  { key: 'activity', path: '/account/activity', icon: 'clock' },
  { key: 'data', path: '/account/data', icon: 'download' },
] as const satisfies { key: string; path: string; icon: IconName }[]

/** Whether a section is where somebody is; pages below it count too, except for the home of the account. */
export const isCurrent = (section: string, path: string): boolean =>
  path === section || (section !== '/account' && path.startsWith(`${section}/`))
