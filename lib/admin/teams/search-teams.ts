import type { AdminContext } from '#lib/admin/context'
import type { FoundApp, ListedTeam } from './store.ts'

const most = 20

/** Returns the teams and apps of a search: by the beginning of a team's name or of a client_id, or by a team's id. */
export async function searchTeams(
  { operatorTeams }: Pick<AdminContext, 'operatorTeams'>,
  typed: string,
): Promise<{ teams: ListedTeam[]; apps: FoundApp[] }> {
  const text = typed.replaceAll('\0', '').trim().slice(0, 200)
  const [teams, apps] = await Promise.all([
    operatorTeams.searchTeams(text, most),
    text === '' ? [] : operatorTeams.searchApps(text, most),
  ])
  return { teams, apps }
}
