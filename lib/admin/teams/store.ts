import type { Recorded } from '#lib/account/activity/recorded'
import type { TeamRecord } from '#lib/console/team/team-records'

/** A team or an app in the list of a search. */
export type ListedTeam = { id: string; name: string; apps: number; members: number }
export type FoundApp = { id: string; name: string; team: { id: string; name: string }; disabledAt: Date | null }

export type StateChange = 'changed' | 'same' | 'unknown'

/** Finds teams and apps for operators, and closes them. A change writes its lines in the same transaction. */
export type OperatorTeams = {
  /** Returns teams whose name begins with a text, whatever its case and punctuation, by that name. */
  searchTeams(beginning: string, most: number): Promise<ListedTeam[]>
  /** Returns apps whose client_id begins with a text, by client_id. */
  searchApps(beginning: string, most: number): Promise<FoundApp[]>
  findTeam(id: string, now: Date): Promise<TeamRecord | undefined>
  /**
   * Closes an app so that its team cannot open it, or opens it. The team reads it in its activity. `same`: the app is in
   * this state already, for example after a double submit.
   */
  setAppDisabled(appId: string, isDisabled: boolean, recorded: Recorded): Promise<StateChange>
  /**
   * Closes a team with its open apps: its members may then only look, and leave. Opening it opens these apps again. The team
   * reads both in its activity.
   */
  setTeamClosed(teamId: string, isClosed: boolean, recorded: Recorded): Promise<StateChange>
}
