import type { IconName } from '#app/_ui/icon.tsx'
import { teamPage } from '#lib/console/paths'

/** The sections of a team's pages, in the order of the navigation. */
const sections = [
  { key: 'overview', section: undefined, icon: 'app' },
  { key: 'members', section: 'members', icon: 'team' },
  { key: 'domain', section: 'domain', icon: 'shield' },
  { key: 'api', section: 'api', icon: 'key' },
  { key: 'activity', section: 'activity', icon: 'clock' },
  { key: 'settings', section: 'settings', icon: 'list' },
] as const satisfies { key: string; section: Parameters<typeof teamPage>[1]; icon: IconName }[]

/** Returns the sections with their addresses; marks the one that the path belongs to. The apps belong to the overview. */
export const sectionsOf = (teamId: string, path: string) =>
  sections.map(({ key, section, icon }) => {
    const href = teamPage(teamId, section)
    const below =
      section === undefined
        ? [teamPage(teamId, 'new-app'), `${href}/apps/`, `${href}/offers/`, `${href}/apis`]
        : [`${href}/`]
    return { key, href, icon, isCurrent: path === href || below.some((start) => path.startsWith(start)) }
  })
