import type { IconName } from '#app/_ui/icon.tsx'
import { adminHome, adminPages } from '#lib/admin/paths'

/** The sections of the operators' pages, in the order of the navigation. */
const sections = [
  { key: 'people', href: adminHome, icon: 'person', below: `${adminHome}/people/` },
  { key: 'teams', href: adminPages.teams, icon: 'app', below: `${adminPages.teams}/` },
  { key: 'scopes', href: adminPages.scopes, icon: 'shield', below: `${adminPages.scopes}/` },
  { key: 'invitations', href: adminPages.invitations, icon: 'mail', below: `${adminPages.invitations}/` },
  { key: 'failures', href: adminPages.failures, icon: 'attention', below: `${adminPages.failures}/` },
  { key: 'system', href: adminPages.system, icon: 'list', below: `${adminPages.system}/` },
  { key: 'record', href: adminPages.record, icon: 'clock', below: `${adminPages.record}/` },
] as const satisfies { key: string; href: string; icon: IconName; below: string }[]

/** Returns the sections; marks the one that the path belongs to. */
export const sectionsOf = (path: string) =>
  sections.map(({ below, ...section }) => ({ ...section, isCurrent: path === section.href || path.startsWith(below) }))
