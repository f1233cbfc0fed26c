/** One line of the operators' record. */
export type OperatorLine = {
  id: string
  at: Date
  /** An operator's username; empty for the command line and for the person. */
  actor: string
  kind: OperatorLineKind
  /** The person that the act is about; undefined for other acts, and after the account is deleted. */
  person: { id: string; username: string } | undefined
  /** The app or team that the act is about. */
  target: string
  reason: string
  /** What the act changed, such as scopes. */
  details: string
  looks: number
}

/** The kinds of lines; the page has a sentence for each. */
export type OperatorLineKind =
  | 'looked'
  | 'disabled'
  | 'enabled'
  | 'signed_out'
  | 'unlocked'
  | 'reset_asked'
  | 'reset_cancelled'
  | 'reset_kept'
  | 'factors_reset'
  | 'deletion_asked'
  | 'deletion_cancelled'
  | 'deleted_now'
  | 'created'
  | 'profile_changed'
  | 'picture_set'
  | 'link_made'
  | 'role_given'
  | 'role_taken'
  | 'scopes_approved'
  | 'scopes_refused'
  | 'account_invited'
  | 'team_invited'
  | 'invitation_withdrawn'
  | 'app_closed'
  | 'app_opened'
  | 'team_closed'
  | 'team_opened'

/** Reads the operators' record, newest first; `after` is the id of the last line of the page before. */
export type OperatorRecord = {
  list(of: { personId?: string }, after: string | undefined, most: number): Promise<OperatorLine[]>
}
