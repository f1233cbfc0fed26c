/** Loads the library at its first use. With the ASN.1 schemas of all attestation formats, it takes several MiB. */
const library = () => import('@simplewebauthn/server')

/** A WebAuthn credential with the name that its owner gave it. */
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

/** The site that passkeys belong to (WebAuthn §4, "RP ID"): the account host. */
export type PasskeySite = { serviceName: string; accountUrl: string }
const rpOf = ({ accountUrl }: PasskeySite) => new URL(accountUrl).hostname

/** Returns the options of a sign-in: any passkey of this site, with user verification. */
export const signInOptions = async (site: PasskeySite, challenge: string) =>
  (await library()).generateAuthenticationOptions({
    rpID: rpOf(site),
    challenge: bytesOf(challenge),
    userVerification: 'required',
    timeout: 300_000,
  })

/** Returns the options of a registration: a discoverable credential, unless the device has one of this person. */
export const registrationOptions = async (site: PasskeySite, challenge: string, owner: PasskeyOwner) =>
  (await library()).generateRegistrationOptions({
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

/** Verifies a new credential; undefined when it is for another site or without user verification (WebAuthn §7.1). */
export async function checkRegistration(
  site: PasskeySite,
  challenge: string,
  sent: string,
): Promise<NewPasskey | undefined> {
  const { verifyRegistrationResponse } = await library()
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
    // The library throws for every malformed or foreign credential.
    return undefined
  }
}

/** Returns the credential id that an unverified assertion claims. */
export function claimedCredential(sent: string): string | undefined {
  try {
    const { id } = JSON.parse(sent) as { id?: unknown }
    return typeof id === 'string' && /^[\w-]{1,1400}$/.test(id) ? id : undefined
  } catch {
    return undefined
  }
}

/** Verifies an assertion; rejects a counter that went back, the sign of a copied passkey (WebAuthn §7.2). */
export async function checkAssertion(
  site: PasskeySite,
  challenge: string,
  sent: string,
  { id, publicKey, counter }: Pick<Passkey, 'id' | 'publicKey' | 'counter'>,
): Promise<{ counter: number; backedUp: boolean } | undefined> {
  const { verifyAuthenticationResponse } = await library()
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

/** Returns the `amr` of a passkey (RFC 8176): software when it is synced, else hardware; two factors in both cases. */
export const passkeyAmr = ({ backedUp }: { backedUp: boolean }) => [backedUp ? 'swk' : 'hwk', 'user', 'mfa']

const bytesOf = (base64url: string) => new Uint8Array(Buffer.from(base64url, 'base64url'))
