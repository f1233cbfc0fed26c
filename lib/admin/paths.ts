/** The first page of the operators: the search for people. */
export const adminHome = '/admin'

/** Says that operators need a second factor, and how to add or use one. */
export const secondFactorPage = '/admin/second-factor'

/** Returns the page about a person. Encodes the id, because a form can send any text as an id. */
export const personPage = (personId: string): string => `${adminHome}/people/${encodeURIComponent(personId)}`

/** The other pages of the navigation. */
export const adminPages = {
  teams: `${adminHome}/teams`,
  scopes: `${adminHome}/scopes`,
  invitations: `${adminHome}/invitations`,
  failures: `${adminHome}/failures`,
  system: `${adminHome}/system`,
  record: `${adminHome}/record`,
} as const

/** Returns the page about a team, for operators. */
export const teamOfOperators = (teamId: string): string => `${adminPages.teams}/${encodeURIComponent(teamId)}`

/** Returns the page about an app, for operators. */
export const appOfOperators = (appId: string): string => `${adminHome}/apps/${encodeURIComponent(appId)}`
