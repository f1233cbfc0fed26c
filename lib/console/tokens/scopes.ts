import type { Action } from '#lib/console/roles'

/** The scopes of a team's API tokens. */
export const tokenScopes = ['read', 'apps', 'credentials', 'members', 'team'] as const
export type TokenScope = (typeof tokenScopes)[number]

/** The scope that permits each action; `null` for an action of the console alone. */
const scopeByAction: Record<Action, TokenScope | null> = {
  'team.read': 'read',
  'team.rename': 'team',
  // A program is no member.
  'team.leave': null,
  'team.domains': 'team',
  'members.read': 'read',
  'members.invite': 'members',
  'members.change': 'members',
  'audit.read': 'read',
  'app.read': 'read',
  'failures.read': 'read',
  'usage.read': 'read',
  'health.read': 'read',
  'app.register': 'apps',
  // A trial signs a person in, so a program has none.
  'app.try': null,
  'app.change': 'apps',
  'app.credentials': 'credentials',
  'app.mail': 'apps',
  'app.disable': 'apps',
  // Only an operator decides.
  'scopes.decide': null,
  'app.delete': 'apps',
  // Giving an app away, or taking one, needs a recent sign-in of an owner.
  'app.transfer': null,
  'app.receive': null,
  'offers.read': 'read',
  'offers.end': 'apps',
  'app.sub_map': 'apps',
  'api.read': 'read',
  'api.change': 'apps',
  'api.delete': 'apps',
  'events.read': 'read',
  'events.change': 'apps',
  'tokens.read': 'read',
  // A token that makes tokens would outlive its own expiry and its revocation.
  'tokens.make': null,
  'tokens.revoke': 'team',
}

/** Returns the scope that a token needs for an action; null if no token may do it. */
export const scopeFor = (action: Action): TokenScope | null => scopeByAction[action]
