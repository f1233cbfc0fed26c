import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { openApps } from '#lib/testing/console/apps'
import { sharePostern } from '#lib/testing/process/share-postern'
import { actors } from './roles.ts'

/** Every form about a team: the name of its flash, and the least role that may send it. Written out by hand. */
const forms: Record<string, [flash: string, least: 'viewer' | 'developer' | 'owner']> = {
  answerTeamLeave: ['members', 'viewer'],
  answerTeamRename: ['team-name', 'owner'],
  answerInvite: ['invite', 'owner'],
  answerInvitationWithdrawal: ['members', 'owner'],
  answerMemberRole: ['members', 'owner'],
  answerDomainAddition: ['domain', 'owner'],
  answerDomainCheck: ['domain', 'owner'],
  answerDomainRemoval: ['domain', 'owner'],
  answerTokenMaking: ['token', 'developer'],
  answerTokenRevocation: ['token', 'developer'],
  answerRegistrationTokenMaking: ['registration-token', 'developer'],
  answerRegistrationTokenRevocation: ['registration-token', 'developer'],
  answerApiRegistration: ['new-api', 'developer'],
  answerApiChange: ['api', 'developer'],
  answerApiDeletion: ['api', 'owner'],
  answerAppRegistration: ['new-app', 'developer'],
  answerAppChange: ['app', 'developer'],
  answerAppState: ['app', 'developer'],
  answerAppDeletion: ['app', 'owner'],
  answerAppKeep: ['app', 'owner'],
  answerLogoRemoval: ['app', 'developer'],
  answerAuthMethod: ['credentials', 'developer'],
  answerSecretAddition: ['credentials', 'developer'],
  answerSecretRemoval: ['credentials', 'developer'],
  answerKeyAddition: ['credentials', 'developer'],
  answerKeyAddress: ['credentials', 'developer'],
  answerKeyRemoval: ['credentials', 'developer'],
  answerMailDomainAddition: ['mail', 'developer'],
  answerMailDomainCheck: ['mail', 'developer'],
  answerMailDomainRemoval: ['mail', 'developer'],
  answerReceiver: ['events', 'developer'],
  answerReceiverRemoval: ['events', 'developer'],
  answerReceiverPause: ['events', 'developer'],
  answerReceiverVerification: ['events', 'developer'],
  answerEventReplay: ['events', 'developer'],
  answerTrialStart: ['try', 'developer'],
  answerSubMap: ['app', 'developer'],
  answerAppOffer: ['transfer', 'owner'],
  answerOfferWithdrawal: ['transfer', 'owner'],
  answerOfferAcceptance: ['offer', 'owner'],
  answerOfferRefusal: ['offer', 'owner'],
}

/** Handlers that are no plain form about a team; each has tests of its own. */
const others = ['answerApi', 'answerJoin', 'answerLogoUpload', 'answerNewTeam', 'answerTrialCallback', 'answerUriCheck']

/** The handlers of the console's routes, with their modules. */
const handlers = globSync('app/**/console/**/route.ts').flatMap((file) => {
  const found = /import \{ (answer\w+) \} from '(#lib\/[^']+)'/.exec(readFileSync(file, 'utf8'))
  return found ? [{ name: found[1] as string, module: found[2] as string }] : []
})

it('knows every handler of the console', () => {
  const known = new Set([...Object.keys(forms), ...others])
  expect(new Set(handlers.map(({ name }) => name))).toEqual(known)
})

const postern = sharePostern({ env: { TEAMS: 'open' } })
const { member, send } = openApps(postern)

it.each(handlers.filter(({ name }) => name in forms))('decides by role who may send the form of $name', async (one) => {
  const [flash, least] = forms[one.name] as [string, string]
  const { [one.name]: handler } = await import(one.module)
  const refused: string[] = []
  for (const role of ['viewer', 'developer', 'owner']) {
    const { result } = await send(await member(role), handler, { app: 'acme-web' }, flash)
    if (result === 'not_allowed') refused.push(role)
  }
  expect(refused).toEqual(actors.slice(actors.indexOf('viewer'), actors.indexOf(least as 'owner')))
  const stranger = await member('owner', 'bob')
  await postern.context.database.prisma.member.deleteMany({ where: { personId: stranger.personId } })
  const { result, to } = await send(stranger, handler, { app: 'acme-web' }, flash)
  expect([result, to]).toEqual(['', expect.stringMatching(/^\/console\/teams\/acme(\/|$)/)])
})
