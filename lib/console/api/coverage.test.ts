import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type Action, actions } from '#lib/console/roles'
import { scopeFor } from '#lib/console/tokens/scopes'
import { operations } from './operations.ts'

// What the console does, beside the operation of the API that does the same, or the reason why there is none.

const person = 'A program is no member, and a person does this with a session.'
const signIn = 'It needs a person who has just signed in: a leaked token would outlive its revocation (decision 0053).'
const preview = 'The API answers a request with the same sentences.'

/** Every act of roles.ts: the ids of its operations, or a reason. */
const byAct: Record<Action, string[] | string> = {
  'team.read': ['getTeam', 'listDomains'],
  'team.rename': ['renameTeam'],
  'team.leave': person,
  'team.domains': ['addDomain', 'checkDomain', 'removeDomain'],
  'members.read': ['listMembers'],
  'members.invite': ['inviteMember', 'listInvitations', 'withdrawInvitation'],
  'members.change': ['changeMember', 'removeMember'],
  'audit.read': ['listActivity'],
  'app.read': ['listApps', 'getApp', 'readMail', 'listMailDomains'],
  'failures.read': ['listFailures'],
  'app.register': ['registerApp', 'makeRegistrationToken'],
  'app.change': ['changeApp', 'setLogo', 'removeLogo'],
  'app.try': 'A trial signs in the person who tries the app.',
  'app.credentials': ['addSecret', 'removeSecret', 'addKeys', 'removeKey', 'setKeyAddress'],
  'events.read': ['getEventReceiver', 'listEvents'],
  'events.change': [
    'setEventReceiver',
    'removeEventReceiver',
    'pauseEventReceiver',
    'resumeEventReceiver',
    'verifyEventReceiver',
    'replayEvents',
  ],
  'app.mail': ['addMailDomain', 'checkMailDomain', 'removeMailDomain'],
  'app.disable': ['disableApp', 'enableApp'],
  'app.delete': ['deleteApp', 'keepApp'],
  'tokens.read': ['listTokens', 'listRegistrationTokens'],
  'tokens.make': signIn,
  'tokens.revoke': ['revokeToken', 'revokeRegistrationToken'],
  'app.transfer': signIn,
  'app.receive': signIn,
  'offers.read': ['getOffer', 'listOffers'],
  'offers.end': ['withdrawOffer', 'declineOffer'],
  'app.sub_map': ['listMovedSubjects'],
  'api.read': ['listApis', 'getApi'],
  'api.change': ['registerApi', 'replaceApi'],
  'api.delete': ['deleteApi'],
  'usage.read': ['readUsage'],
  'health.read': ['readHealth'],
  'scopes.decide': 'An act of operators: the page /admin and cli.',
}

/** Every form of the console, by its folder. */
const byForm: Record<string, string[] | string> = {
  'app/accept-offer': signIn,
  'app/auth-method': ['changeApp'],
  'app/change': ['changeApp'],
  'app/check-uris': preview,
  'app/decline-offer': ['declineOffer'],
  'app/delete': ['deleteApp'],
  'app/events/pause': ['pauseEventReceiver', 'resumeEventReceiver'],
  'app/events/receiver': ['setEventReceiver'],
  'app/events/remove': ['removeEventReceiver'],
  'app/events/replay': ['replayEvents'],
  'app/events/verify': ['verifyEventReceiver'],
  'app/keep': ['keepApp'],
  'app/key/add': ['addKeys'],
  'app/key/address': ['setKeyAddress'],
  'app/key/remove': ['removeKey'],
  'app/logo/change': ['setLogo'],
  'app/logo/remove': ['removeLogo'],
  'app/mail/add': ['addMailDomain'],
  'app/mail/check': ['checkMailDomain'],
  'app/mail/remove': ['removeMailDomain'],
  'app/offer': signIn,
  'app/register': ['registerApp'],
  'app/secret/add': ['addSecret'],
  'app/secret/remove': ['removeSecret'],
  'app/state': ['disableApp', 'enableApp'],
  'app/sub-map': ['listMovedSubjects'],
  'app/try': 'A trial signs in the person who tries the app.',
  'app/withdraw-offer': ['withdrawOffer'],
  'new-team/submit': 'A token belongs to a team, so it cannot make one; TEAMS limits the teams of a person.',
  'team-api/change': ['replaceApi'],
  'team-api/delete': ['deleteApi'],
  'team-api/register': ['registerApi'],
  'team/domain/add': ['addDomain'],
  'team/domain/check': ['checkDomain'],
  'team/domain/remove': ['removeDomain'],
  'team/invite': ['inviteMember'],
  'team/leave': person,
  'team/registration-token/make': ['makeRegistrationToken'],
  'team/registration-token/revoke': ['revokeRegistrationToken'],
  'team/rename': ['renameTeam'],
  'team/role': ['changeMember', 'removeMember'],
  'team/token/make': signIn,
  'team/token/revoke': ['revokeToken'],
  'team/withdraw-invitation': ['withdrawInvitation'],
  'try/callback': 'A trial signs in the person who tries the app.',
}

/** Every page of the console, by its folder. */
const byPage: Record<string, string[] | string> = {
  '': 'A token belongs to one team: getTeam.',
  'docs/[page]': 'Public documents, the same for every team.',
  'new-team': 'A form of a person.',
  'teams/[team]': ['getTeam', 'listApps', 'listOffers'],
  'teams/[team]/activity': ['listActivity'],
  'teams/[team]/api': ['listTokens', 'listRegistrationTokens'],
  'teams/[team]/apis': ['listApis', 'getApi'],
  'teams/[team]/apps/[app]': ['getApp'],
  'teams/[team]/apps/[app]/connect': 'Code for a person to copy, made of values that getApp returns.',
  'teams/[team]/apps/[app]/credentials': ['getApp'],
  'teams/[team]/apps/[app]/events': ['getEventReceiver', 'listEvents'],
  'teams/[team]/apps/[app]/failures': ['listFailures'],
  'teams/[team]/apps/[app]/health': ['readHealth'],
  'teams/[team]/apps/[app]/mail': ['readMail', 'listMailDomains'],
  'teams/[team]/apps/[app]/settings': ['getApp'],
  'teams/[team]/apps/[app]/transfer': ['getOffer'],
  'teams/[team]/apps/[app]/try': 'A trial signs in the person who tries the app.',
  'teams/[team]/apps/[app]/usage': ['readUsage'],
  'teams/[team]/domain': ['listDomains'],
  'teams/[team]/members': ['listMembers', 'listInvitations'],
  'teams/[team]/new-app': 'A form of registerApp.',
  'teams/[team]/offers/[offer]': ['listOffers'],
  'teams/[team]/settings': ['getTeam'],
}

/** Returns the folders of the console that hold a file of this name, without the API itself. */
function foldersWith(file: string): string[] {
  const root = join(import.meta.dirname, '../../../app/(console)/console')
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(({ name }) => name === file)
    .map(({ parentPath }) => parentPath.slice(root.length + 1))
    .filter((folder) => !folder.startsWith('api/'))
    .sort()
}

const named = (table: Record<string, string[] | string>) => Object.values(table).filter(Array.isArray).flat()

it.each(actions)('has the operations of the act %s, or a reason for none', (action) => {
  const has = operations.filter((operation) => operation.action === action).map(({ id }) => id)
  const planned = byAct[action]
  expect(has.sort()).toEqual(typeof planned === 'string' ? [] : planned.toSorted())
  expect(scopeFor(action) === null).toBe(typeof planned === 'string')
})

it('does what every form of the console does', () => {
  expect(Object.keys(byForm).sort()).toEqual(foldersWith('route.ts'))
  const ids = operations.map(({ id }) => id)
  expect(named(byForm).filter((id) => !ids.includes(id))).toEqual([])
})

it('returns what every page of the console shows', () => {
  expect(Object.keys(byPage).sort()).toEqual(foldersWith('page.tsx'))
  const readers = operations.filter(({ method }) => method === 'GET').map(({ id }) => id)
  expect(named(byPage).filter((id) => !readers.includes(id))).toEqual([])
  expect(readers.filter((id) => !named(byPage).includes(id) && id !== 'listMovedSubjects')).toEqual([])
})
