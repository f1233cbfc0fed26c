import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'

/** A WebAuthn credential of somebody's, named by them. */
export type Passkey = {
  id: string
  publicKey: Uint8Array<ArrayBuffer>
  counter: number
  transports: string[]
  backedUp: boolean
  name: string
  createdAt: Date
  lastUsedAt: Date | undefined
}
export type NewPasskey = Omit<Passkey, 'name' | 'createdAt' | 'lastUsedAt'>

/** For which site passkeys are made (WebAuthn §4, "RP ID"): the account host. */
export type PasskeySite = { serviceName: string; accountUrl: string }
const rpOf = ({ accountUrl }: PasskeySite) => new URL(accountUrl).hostname

/** What the browser is asked to sign in with: any passkey of this site, the person present and verified. */
export const signInOptions = (site: PasskeySite, challenge: string) =>
  generateAuthenticationOptions({
    rpID: rpOf(site),
    challenge: bytesOf(challenge),
    userVerification: 'required',
    timeout: 300_000,
  })

/** What the browser is asked to make: a discoverable credential, unless one of theirs is there already. */
export const registrationOptions = (site: PasskeySite, challenge: string, owner: PasskeyOwner) =>
  generateRegistrationOptions({
    rpName: site.serviceName,
    rpID: rpOf(site),
    userName: owner.username,
    userDisplayName: owner.username,
    userID: bytesOf(owner.personId),
    challenge: bytesOf(challenge),
    attestationType: 'none',
    excludeCredentials: owner.known,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    timeout: 300_000,
  })

export type PasskeyOwner = { personId: string; username: string; known: { id: string; transports: string[] }[] }

/** The credential a browser has made; undefined when it is not for us, or the person was not verified (WebAuthn §7.1). */
export async function checkRegistration(
  site: PasskeySite,
  challenge: string,
  sent: string,
): Promise<NewPasskey | undefined> {
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: JSON.parse(sent),
      expectedChallenge: challenge,
      expectedOrigin: site.accountUrl,
      expectedRPID: rpOf(site),
      requireUserVerification: true,
    })
    if (!verified) return undefined
    const { credential, credentialBackedUp } = registrationInfo
    const { id, publicKey, counter, transports = [] } = credential
    return { id, publicKey, counter, transports: transports.slice(0, 8).map(String), backedUp: credentialBackedUp }
  } catch {
    // The library throws for every kind of malformed or foreign credential.
    return undefined
  }
}

/** Which credential an assertion claims to be of, read before it is believed. */
export function claimedCredential(sent: string): string | undefined {
  try {
    const { id } = JSON.parse(sent) as { id?: unknown }
    return typeof id === 'string' && /^[\w-]{1,1400}$/.test(id) ? id : undefined
  } catch {
    return undefined
  }
}

/** Whether a passkey signed the challenge; a counter that went back tells of a copy and is refused (WebAuthn §7.2). */
export async function checkAssertion(
  site: PasskeySite,
  challenge: string,
  sent: string,
  { id, publicKey, counter }: Pick<Passkey, 'id' | 'publicKey' | 'counter'>,
): Promise<{ counter: number; backedUp: boolean } | undefined> {
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: JSON.parse(sent),
      expectedChallenge: challenge,
      expectedOrigin: site.accountUrl,
      expectedRPID: rpOf(site),
      credential: { id, publicKey, counter },
      requireUserVerification: true,
    })
    if (!verified) return undefined
    return { counter: authenticationInfo.newCounter, backedUp: authenticationInfo.credentialBackedUp }
  } catch {
    return undefined
  }
}

/** How a passkey proves (RFC 8176): a synced one is software, one bound to a device hardware; two factors either way. */
export const passkeyAmr = ({ backedUp }: { backedUp: boolean }) => [backedUp ? 'swk' : 'hwk', 'user', 'mfa']

const bytesOf = (base64url: string) => new Uint8Array(Buffer.from(base64url, 'base64url'))
