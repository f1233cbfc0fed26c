/** The first page of the console: the person's teams. */
export const consoleHome = '/console'

/** Returns a page about a team. Encodes the id, because a form can send any text as an id. */
export const teamPage = (teamId: string, section?: 'members' | 'activity' | 'settings'): string =>
  `${consoleHome}/teams/${encodeURIComponent(teamId)}${section ? `/${section}` : ''}`
