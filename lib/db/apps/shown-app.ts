import { namesIn } from '#lib/text/localized-name'

/** The columns of a team that decide what people see of its apps. */
export const shownTeam = {
  select: {
    name: true,
    trusted: true,
    domains: { where: { verifiedAt: { not: null } }, select: { domain: true }, orderBy: { domain: 'asc' } },
  },
} as const

type TeamRow = { trusted: boolean; domains: { domain: string }[] }

/** Whether people see a team as verified: it has proven a domain, or the operator has approved it. */
export const isVerified = ({ trusted, domains }: TeamRow): boolean => trusted || domains.length > 0

type AppRow = { name: string; logoFile: string | null; registration: string }

/** Returns the names and the logo of an app as people see them; the app of a team that is not verified has no logo. */
export const shownApp = ({ name, logoFile, registration }: AppRow, team: TeamRow) => ({
  name,
  names: namesIn(JSON.parse(registration)),
  logoFile: isVerified(team) ? (logoFile ?? undefined) : undefined,
})

/**
 * Returns the homepage as people see it, with its host: at a domain that the team has proven, or of a team that the operator
 * has approved. Anyone can register the address of a bank.
 */
export function shownHomepage(homepage: string, { trusted, domains }: TeamRow): string {
  if (trusted || homepage === '') return homepage
  const host = `.${new URL(homepage).hostname}`
  return domains.some(({ domain }) => host.endsWith(`.${domain}`)) ? homepage : ''
}
