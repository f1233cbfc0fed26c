/** The first page of the console: the person's teams. */
export const consoleHome = '/console'

/** Returns a page about a team. Encodes the id, because a form can send any text as an id. */
export const teamPage = (
  teamId: string,
  section?: 'members' | 'domain' | 'activity' | 'api' | 'settings' | 'new-app',
): string => `${consoleHome}/teams/${encodeURIComponent(teamId)}${section ? `/${section}` : ''}`

/** The pages of an app beside its overview. */
export const appSections = [
  'settings',
  'credentials',
  'connect',
  'try',
  'failures',
  'usage',
  'health',
  'mail',
  'events',
] as const

/** Returns a page about an app of a team. */
export const appPage = (teamId: string, appId: string, section?: (typeof appSections)[number]): string =>
  `${teamPage(teamId)}/apps/${encodeURIComponent(appId)}${section ? `/${section}` : ''}`

/** Returns the page on which a team gives an app away. */
export const transferPage = (teamId: string, appId: string): string => `${appPage(teamId, appId)}/transfer`

/** Returns the page of an offer to a team. */
export const offerPage = (teamId: string, offerId: string): string =>
  `${teamPage(teamId)}/offers/${encodeURIComponent(offerId)}`

/** Returns the page that lists the APIs of a team. */
export const apisPage = (teamId: string): string => `${teamPage(teamId)}/apis`

/** Returns the page of an API. Its identifier is an address, so it is in the query. */
export const apiPage = (teamId: string, identifier: string): string =>
  `${apisPage(teamId)}?${new URLSearchParams({ api: identifier })}`

/** Returns the address of a section of the docs, such as `integrate#8-refreshing`. */
export const docsPage = (section: string): string => `${consoleHome}/docs/${section}`
