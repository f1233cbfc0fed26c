import type { Act, ActKind, ActStore } from '#lib/console/audit/act'

/** Returns the newest acts of a team for an operator, who sees no address of a person without a recorded look. */
export async function listActs({ acts }: { acts: ActStore }, teamId: string, most: number): Promise<Act[]> {
  return (await acts.list(teamId, undefined, most)).map(withoutAddress)
}

const withoutAddress = (act: Act): Act =>
  ofInvitations.has(act.kind) ? { ...act, target: act.target.replace(/^.*(?=@)/s, '…') } : act

/** The acts whose target is the address of an invited person; empty for an invitation by link. */
const ofInvitations: ReadonlySet<ActKind> = new Set(['member_invited', 'invitation_withdrawn'])
