import { expect, it } from 'vitest'
import { type Action, type Actor, actions, actors, mayDo } from './roles.ts'

/** Written out by hand, so that a change of the table needs a change here. */
const expected: Record<Action, Actor[]> = {
  'team.read': ['viewer', 'developer', 'owner', 'operator'],
  'team.rename': ['owner'],
  'team.leave': ['viewer', 'developer', 'owner'],
  'team.domains': ['owner'],
  'members.read': ['viewer', 'developer', 'owner', 'operator'],
  'members.invite': ['owner'],
  'members.change': ['owner'],
  'audit.read': ['viewer', 'developer', 'owner', 'operator'],
  'app.read': ['viewer', 'developer', 'owner', 'operator'],
  'failures.read': ['viewer', 'developer', 'owner', 'operator'],
  'app.register': ['developer', 'owner'],
  'app.change': ['developer', 'owner'],
  'app.try': ['developer', 'owner'],
  'app.credentials': ['developer', 'owner'],
  'events.read': ['viewer', 'developer', 'owner', 'operator'],
  'events.change': ['developer', 'owner'],
  'app.mail': ['developer', 'owner'],
  'app.disable': ['developer', 'owner', 'operator'],
  'scopes.decide': ['operator'],
  'app.delete': ['owner'],
  'tokens.read': ['viewer', 'developer', 'owner', 'operator'],
  'tokens.make': ['developer', 'owner'],
  'tokens.revoke': ['developer', 'owner'],
  'app.transfer': ['owner'],
  'app.receive': ['owner'],
  'offers.read': ['owner'],
  'offers.end': ['owner'],
  'app.sub_map': ['developer', 'owner'],
  'api.read': ['viewer', 'developer', 'owner', 'operator'],
  'api.change': ['developer', 'owner'],
  'api.delete': ['owner'],
  'usage.read': ['viewer', 'developer', 'owner', 'operator'],
  'health.read': ['viewer', 'developer', 'owner', 'operator'],
}

it.each(actions.flatMap((action) => actors.map((actor) => [actor, action] as const)))(
  'decides whether the actor %s may do %s',
  (actor, action) => {
    expect(mayDo(actor, action)).toBe(expected[action].includes(actor))
  },
)

it('lets a stranger do nothing', () => {
  expect(actions.filter((action) => mayDo('stranger', action))).toEqual([])
})
