import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { readTeamPage, type TeamParams, teamTitle } from '#app/_page/console-page.ts'
import { PageHeading } from '#app/_ui/page-heading.tsx'
import { ConsoleResult } from '#app/(console)/console/console-result.tsx'
import { isFresh } from '#lib/account/signed-in/step-up'
import { apiPath } from '#lib/console/api/api-path'
import { NewRegistrationToken } from './new-registration-token.tsx'
import { NewToken } from './new-token.tsx'
import { ReadyRegistrationToken, ReadyToken } from './ready-token.tsx'
import { TokenList } from './token-list.tsx'

/** The API tokens of a team, and the initial access tokens for dynamic registration. */
export default async function TeamApiPage({ params }: { params: TeamParams }) {
  const { context, person, session, team, may, flashOf } = await readTeamPage(params, { action: 'tokens.read' })
  const { accountUrl, issuer, teams } = context.config
  const [tokens, registrations, made, registered, t] = await Promise.all([
    context.tokens.listTokens(team.id, context.now()),
    context.tokens.listRegistrationTokens(team.id, context.now()),
    flashOf('token'),
    flashOf('registration-token'),
    getTranslations('consoleApi'),
  ])
  const about = { team: team.id, isFresh: isFresh({ person, session }, context.now()) }
  const mayRevoke = may('tokens.revoke')
  const api = `${accountUrl}${apiPath}`
  return (
    <>
      <PageHeading title={t('title')}>{t('lede')}</PageHeading>
      <ConsoleResult flash={made.done || made.problems.length > 0 ? made : registered} />
      {made.done === 'token_made' && made.kept.token && <ReadyToken token={made.kept.token} api={api} />}
      {registered.done === 'registration_token_made' && registered.kept.token && (
        <ReadyRegistrationToken token={registered.kept.token} issuer={issuer} />
      )}
      <TokenList team={team.id} tokens={tokens} mayRevoke={mayRevoke} kind="token" />
      {may('tokens.make') && <NewToken {...about} flash={made} document={`${api}/openapi.json`} />}
      {teams !== 'off' && (
        <>
          <TokenList team={team.id} tokens={registrations} mayRevoke={mayRevoke} kind="registration-token" />
          {may('app.register') && <NewRegistrationToken {...about} flash={registered} />}
        </>
      )}
    </>
  )
}

export async function generateMetadata({ params }: { params: TeamParams }): Promise<Metadata> {
  return { title: await teamTitle(params, (await getTranslations('consoleApi'))('title')) }
}
