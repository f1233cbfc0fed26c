/** The roles of a team's members, from the least to the greatest. */
export const roles = ['viewer', 'developer', 'owner'] as const
export type Role = (typeof roles)[number]

/** Everyone who may ask for something in the console; a stranger is signed in, but no member of the team. */
export const actors = ['stranger', ...roles, 'operator'] as const
export type Actor = (typeof actors)[number]

const members: readonly Actor[] = ['viewer', 'developer', 'owner']
const developers: readonly Actor[] = ['developer', 'owner']
const owners: readonly Actor[] = ['owner']

/** Who may do what in a team: the only place that decides it. */
const permissions = {
  'team.read': [...members, 'operator'],
  'team.rename': owners,
  'team.leave': members,
  // The proven domain is what people see on the consent page.
  'team.domains': owners,
  'members.read': [...members, 'operator'],
  'members.invite': owners,
  'members.change': owners,
  'audit.read': [...members, 'operator'],
  'app.read': [...members, 'operator'],
  'failures.read': [...members, 'operator'],
  'app.register': developers,
  'app.change': developers,
  // A sign-in with the member's own account.
  'app.try': developers,
  // A secret or a key lets its holder act as the app.
  'app.credentials': developers,
  'events.read': [...members, 'operator'],
  // The receiver learns when its people change their accounts.
  'events.change': developers,
  'app.mail': developers,
  'app.disable': [...developers, 'operator'],
  // Approves or refuses sensitive scopes of an app or an API.
  'scopes.decide': ['operator'],
  'app.delete': owners,
  'tokens.read': [...members, 'operator'],
  // A token lets its holder act as the member who made it.
  'tokens.make': developers,
  'tokens.revoke': developers,
  'app.transfer': owners,
  // Accepts an app that another team offers.
  'app.receive': owners,
  'offers.read': owners,
  // Withdraws an offer of the team, or declines one to it.
  'offers.end': owners,
  'app.sub_map': developers,
  // The APIs of the team (RFC 8707), which are not the API of the console.
  'api.read': [...members, 'operator'],
  'api.change': developers,
  'api.delete': owners,
  'usage.read': [...members, 'operator'],
  'health.read': [...members, 'operator'],
} as const satisfies Record<string, readonly Actor[]>

export type Action = keyof typeof permissions
export const actions = Object.keys(permissions) as Action[]

/** Returns whether an actor may do something. A stranger may do nothing, so that a team's pages answer 404 to one. */
export const mayDo = (actor: Actor, action: Action): boolean =>
  (permissions[action] as readonly Actor[]).includes(actor)
