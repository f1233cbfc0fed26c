/** What can be written in a team's audit trail. */
export type ActKind =
  | 'team_created'
  | 'team_renamed'
  | 'team_trusted'
  | 'team_untrusted'
  | 'team_closed'
  | 'team_opened'
  | 'member_invited'
  | 'invitation_withdrawn'
  | 'member_joined'
  | 'member_added'
  | 'role_changed'
  | 'member_removed'
  | 'member_left'
  | 'app_registered'
  | 'app_changed'
  | 'app_disabled'
  | 'app_enabled'
  | 'scopes_approved'
  | 'scopes_refused'
  | 'app_deleted'
  | 'app_kept'
  | 'app_offered'
  | 'offer_withdrawn'
  | 'offer_declined'
  | 'app_given'
  | 'app_received'
  | 'sub_map_read'
  | 'api_registered'
  | 'api_changed'
  | 'api_deleted'
  | 'app_removed'
  | 'secret_added'
  | 'secret_removed'
  | 'key_added'
  | 'key_removed'
  | 'token_made'
  | 'token_revoked'
  | 'registration_token_made'
  | 'registration_token_revoked'
  | 'domain_added'
  | 'domain_proven'
  | 'domain_missing'
  | 'domain_lost'
  | 'domain_removed'
  | 'receiver_registered'
  | 'receiver_changed'
  | 'receiver_removed'
  | 'receiver_paused'
  | 'receiver_resumed'
  | 'receiver_verified'
  | 'events_replayed'
  | 'mail_domain_added'
  | 'mail_domain_removed'
  | 'logo_changed'
  | 'logo_removed'

/** A change in a team: who made it, and the values before and after. It never holds a secret. */
export type Act = {
  id: string
  at: Date
  /** A username; empty for the operator's command line. */
  actor: string
  /** The name of the API token that the actor's program used. */
  token?: string
  kind: ActKind
  /** The username, app or address that was changed; empty for the team itself. */
  target: string
  /** The name that an app had then; the store adds it. */
  targetName?: string
  before: Record<string, string>
  after: Record<string, string>
}

/** Reads the audit trail, newest first; `after` is the id of the last act of the page before. */
export type ActStore = {
  list(teamId: string, after: string | undefined, most: number): Promise<Act[]>
  /** Returns the newest refusal of scopes of an app or an API, no older than `since`. */
  lastRefusal(teamId: string, target: string, since: Date): Promise<Act | undefined>
}
