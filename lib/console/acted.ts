import type { Person } from '#lib/account/signed-in/session'
import type { TeamApp } from '#lib/console/app/store'
import type { OwnTeam } from '#lib/console/team/store'
import type { FlashProblem } from '#lib/http/flash'

/** The author of an act in a team: a member, by a form of the console or by a token of the API. */
export type Author = {
  team: OwnTeam
  person: Pick<Person, 'id' | 'username' | 'locale' | 'pageLanguage'>
  /** The name of the API token; absent for a form. */
  token?: string
}

/** The author of an act about an app of the team. */
export type AppAuthor = Author & { app: TeamApp }

/** The result of an act: its code and what it made, or the problems because of which nothing was written. */
export type Acted<Made extends object = object> = ({ done: string } & Made) | { problems: FlashProblem[] }
