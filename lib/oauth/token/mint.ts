import type { OAuthContext } from '#lib/oauth/context'
import { formatScope } from '#lib/oauth/scope'
import type { Authorization } from '#lib/oauth/store'
import { mintAccessToken } from './access-token.ts'
import { mintIdToken } from './id-token.ts'

/** The token response: exactly the fields of specification §2.2. */
export type TokenResponse = {
  access_token: string
  refresh_token?: string
  id_token: string
  token_type: 'Bearer'
  expires_in: number
  scope: string
}

type Minting = { scopes: string[]; refreshToken: string | undefined; nonce: boolean }

/** Mints what an exchange or a refresh answers with. */
export async function mintTokens(
  context: OAuthContext,
  authorization: Authorization,
  minting: Minting,
): Promise<TokenResponse> {
  const [accessToken, idToken] = await Promise.all([
    mintAccessToken(context, authorization, minting.scopes),
    mintIdToken(context, authorization, { nonce: minting.nonce }),
  ])
  return {
    access_token: accessToken,
    ...(minting.refreshToken !== undefined && { refresh_token: minting.refreshToken }),
    id_token: idToken,
    token_type: 'Bearer',
    expires_in: context.lifetimes.accessToken,
    scope: formatScope(minting.scopes),
  }
}
