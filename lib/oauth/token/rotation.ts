import { sha256 } from '#lib/crypto/hash'
import type { OAuthContext } from '#lib/oauth/context'
import { OAuthError } from '#lib/oauth/error'
import type { Authorization, RefreshFinding } from '#lib/oauth/store'
import { type RefreshToken, successorsOf } from './refresh-secret.ts'

type Rotated = { authorization: Authorization; successor: string }

/**
 * Moves a refresh token on by one compare-and-set (design §4). The current token is rotated; the one before, for a
 * short while, is a retry and gets the same successor; anything older is a replay and ends the authorization.
 */
export async function rotate(
  context: OAuthContext,
  token: RefreshToken,
  check: (found: Authorization) => void,
): Promise<Rotated> {
  const presented = {
    id: token.authorizationId,
    hash: sha256(token.secret),
    now: context.now(),
    retrySeconds: context.lifetimes.refreshRetry,
  }
  const found = await context.store.findForRefresh(presented)
  if (!found) throw refuse('unknown authorization')
  check(found.authorization)
  if (found.presented === 'replayed') return endReplayed(context, presented)
  if (found.expired) throw refuse('the refresh token is expired')
  if (found.presented === 'retry') return answerAgain(context, token, found)
  const successor = successorsOf(context.secrets, found.authorization.salt, token.secret)[0] as string
  const rotated = await context.store.rotateRefresh({
    id: token.authorizationId,
    from: presented.hash,
    to: sha256(successor),
    now: presented.now,
    refreshIdleUntil: new Date(presented.now.getTime() + context.lifetimes.refreshIdle * 1000),
  })
  if (rotated) return { authorization: found.authorization, successor }
  return afterLosingTheRace(context, token, presented, check)
}

/** Somebody else rotated, or revoked, between our reading and our writing: judge once more, by what is there now. */
async function afterLosingTheRace(
  context: OAuthContext,
  token: RefreshToken,
  presented: { id: string; hash: string; now: Date; retrySeconds: number },
  check: (found: Authorization) => void,
): Promise<Rotated> {
  const found = await context.store.findForRefresh(presented)
  if (!found) throw refuse('unknown authorization')
  check(found.authorization)
  return found.presented === 'retry' ? answerAgain(context, token, found) : endReplayed(context, presented)
}

/** The successor is derived, so the same request arrives at the same token, under this master key or the one before. */
function answerAgain(context: OAuthContext, token: RefreshToken, found: RefreshFinding): Rotated {
  const { salt } = found.authorization
  const successor = successorsOf(context.secrets, salt, token.secret).find(
    (secret) => sha256(secret) === found.currentHash,
  )
  if (!successor) {
    throw new OAuthError(
      'temporarily_unavailable',
      'The new tokens are not available at the moment. Try again.',
      'the successor cannot be derived with the keys at hand',
    )
  }
  return { authorization: found.authorization, successor }
}

/** The revocation is committed before the refusal is sent. */
async function endReplayed(
  context: OAuthContext,
  presented: { id: string; hash: string; now: Date; retrySeconds: number },
): Promise<never> {
  const ended = await context.store.revokeReplayed(presented)
  throw refuse(
    ended
      ? 'a rotated-out refresh token was used; the authorization is revoked'
      : 'a rotated-out refresh token was used',
  )
}

const refuse = (reason: string) =>
  new OAuthError(
    'invalid_grant',
    'The refresh token is invalid, expired, revoked or already used. Send a new authorization request.',
    reason,
  )
