import { z } from 'zod'
import { foldAddress } from '#lib/account/person/login-name'
import { operation } from '#lib/console/api/operation'
import { notFound, refusedAct } from '#lib/console/api/problem'
import { invitation, member, role, time } from '#lib/console/api/schemas'
import { inviteMember, withdrawInvitation } from '#lib/console/team/invitations'
import { changeMember } from '#lib/console/team/members'
import type { Invitation, TeamMember } from '#lib/console/team/store'
import { text } from '#lib/text/text-rules'

/** The members of the team and its invitations. */
export const memberOperations = [
  operation({
    id: 'listMembers',
    method: 'GET',
    path: '/members',
    action: 'members.read',
    summary: 'Lists the members, owners first',
    answer: { status: 200, schema: z.object({ items: z.array(member) }) },
    run: async ({ context, by }) => ({
      body: { items: (await context.teams.listMembers(by.team.id)).map(shownMember) },
    }),
  }),
  operation({
    id: 'changeMember',
    method: 'PATCH',
    path: '/members/{username}',
    action: 'members.change',
    summary: 'Changes the role of a member',
    body: z.strictObject({ role }),
    async run({ context, by, path, body }) {
      const changed = await changeMember(context, by, { username: path.username ?? '', role: body.role })
      if ('problems' in changed) throw refusedAct(changed.problems)
      return {}
    },
  }),
  operation({
    id: 'removeMember',
    method: 'DELETE',
    path: '/members/{username}',
    action: 'members.change',
    summary: 'Removes a member',
    async run({ context, by, path }) {
      const removed = await changeMember(context, by, { username: path.username ?? '', role: 'none' })
      if ('problems' in removed) throw refusedAct(removed.problems)
      return {}
    },
  }),
  operation({
    id: 'listInvitations',
    method: 'GET',
    path: '/invitations',
    action: 'members.invite',
    summary: 'Lists the open invitations',
    answer: { status: 200, schema: z.object({ items: z.array(invitation) }) },
    run: async ({ context, by }) => ({
      body: { items: (await context.teams.listInvitations(by.team.id, context.now())).map(shownInvitation) },
    }),
  }),
  operation({
    id: 'inviteMember',
    method: 'POST',
    path: '/invitations',
    action: 'members.invite',
    summary: 'Invites a person by letter; without an address, returns a link, once',
    body: z.strictObject({ role, address: text.max(300, 'must have at most 300 characters').optional() }),
    answer: {
      status: 201,
      schema: z.object({ id: z.string(), link: z.string().nullable(), expires_at: time }),
    },
    async run({ context, by, body: { address = '', role: wanted } }) {
      const invited = await inviteMember(context, by, { address: foldAddress(address.trim()), role: wanted })
      if ('problems' in invited) throw refusedAct(invited.problems)
      return { body: { id: invited.id, link: invited.link ?? null, expires_at: invited.expiresAt } }
    },
  }),
  operation({
    id: 'withdrawInvitation',
    method: 'DELETE',
    path: '/invitations/{invitation}',
    action: 'members.invite',
    summary: 'Withdraws an invitation',
    async run({ context, by, path }) {
      if (!(await withdrawInvitation(context, by, path.invitation ?? ''))) throw notFound()
      return {}
    },
  }),
]

const shownMember = ({ username, name, role: has, createdAt }: TeamMember) => ({
  username,
  name,
  role: has,
  created_at: createdAt,
})

const shownInvitation = ({ id, role: gives, address, expiresAt }: Invitation) => ({
  id,
  role: gives,
  address,
  expires_at: expiresAt,
})
