import type { Act } from '#lib/console/audit/act'
import type { Role } from '#lib/console/roles'
import type { ClientKind } from '#lib/oauth/client/profile'

/** A team with its numbers of apps and members, and the role of the person who asks for it. */
export type OwnTeam = {
  id: string
  name: string
  role: Role
  createdAt: Date
  apps: number
  members: number
  /** Whether the operator has approved the team. */
  isTrusted: boolean
  /** Whether the operator has closed the team. The role of every member is then that of a viewer. */
  isClosed: boolean
}
/** An app of a team, for a list. */
export type TeamApp = { id: string; name: string; kind: ClientKind; isDisabled: boolean }
export type TeamMember = { personId: string; username: string; name: string; role: Role; createdAt: Date }
export type Invitation = { id: string; role: Role; address: string; createdAt: Date; expiresAt: Date }
/** An invitation as the person who opens its link sees it. */
export type OpenInvitation = { team: { id: string; name: string }; role: Role }

/** `last owner`: the change would leave a team without an owner. */
export type MemberChange = 'changed' | 'unknown' | 'last owner'

/** Stores teams and their members. Every change writes its act to the audit trail in the same transaction. */
export type TeamStore = {
  /** Lists the teams of a person by name. */
  listTeams(personId: string): Promise<OwnTeam[]>
  findTeam(teamId: string, personId: string): Promise<OwnTeam | undefined>
  /** Creates a team with its first owner. Refuses a look-alike of another name, and the owner of `most` teams. */
  create(
    team: NewTeam,
    owner: NewOwner,
    act: Act,
    /** The hash of an invitation of the operator, which the team uses up. */
    invitation?: string,
  ): Promise<'created' | 'lookalike' | 'enough' | 'uninvited'>
  /** Returns those of the skeletons that are the name of another verified team. */
  verifiedNames(skeletons: string[], exceptTeamId: string): Promise<string[]>
  /** Renames a team; refuses a look-alike of another name. */
  rename(team: NewTeam, act: Act): Promise<'changed' | 'lookalike'>
  /**
   * Lists the apps of a team by client_id; `after` is the last client_id of the page before. A search finds the apps whose
   * name or client_id contains the text, in capitals or not.
   */
  listApps(teamId: string, after: string, most: number, search?: string): Promise<TeamApp[]>
  /** Lists the members, owners first. */
  listMembers(teamId: string): Promise<TeamMember[]>
  /** Changes the role of a member, or removes the member (`undefined`). */
  setRole(teamId: string, personId: string, role: Role | undefined, act: Act): Promise<MemberChange>
  /** Adds a member for the operator; false for a person who is a member already. */
  addMember(teamId: string, personId: string, role: Role, act: Act): Promise<boolean>
  /** Returns the teams whose only acting owner is the person. */
  soleOwnerOf(personId: string): Promise<{ id: string; name: string }[]>
  listInvitations(teamId: string, now: Date): Promise<Invitation[]>
  /** Adds an invitation, unless `most` are open. */
  invite(teamId: string, invitation: Invitation, most: number, act: Act): Promise<'invited' | 'enough'>
  /** Withdraws an invitation, and names its address in the act; false if it is gone. */
  withdraw(teamId: string, invitationId: string, act: Act): Promise<boolean>
  findInvitation(invitationId: string, now: Date): Promise<OpenInvitation | undefined>
  /** Uses up an invitation; undefined if it is over. A member keeps a greater role. */
  join(invitationId: string, personId: string, act: Act): Promise<OpenInvitation | undefined>
}

export type NewTeam = { id: string; name: string; skeleton: string }
type NewOwner = { personId: string; username: string; most: number }
