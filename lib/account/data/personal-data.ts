/** Everything that is stored about a person, in words of its own; never a secret, nor anything made from one. */
export type PersonalData = {
  account: Record<string, unknown>
  profile: Record<string, string>
  picture: { mediaType: string; bytes: Uint8Array } | undefined
  /** Addresses whose code has not come back. */
  waitingEmails: Record<string, unknown>[]
  /** Addresses that were bound before, and when mail to the bound one came back. */
  formerEmails: Record<string, unknown>[]
  returnedMail: Date[]
  identifiers: { team: string; sub: string; since: Date }[]
  apps: Record<string, unknown>[]
  approvals: Record<string, unknown>[]
  hideMyEmail: Record<string, unknown>[]
  sessions: Record<string, unknown>[]
  passkeys: Record<string, unknown>[]
  secondFactor: { authenticatorAppSince: Date | null; recoveryCodes: Record<string, unknown>[] }
  activity: Record<string, unknown>[]
}

/** What the download asks of storage. */
export type PersonalDataStore = { read(personId: string): Promise<PersonalData> }

/** The person's copy of their data, as JSON they can keep. */
export function personalDataFile(data: PersonalData, about: { service: string; now: Date }): string {
  const { picture, ...rest } = data
  const image = picture && `data:${picture.mediaType};base64,${Buffer.from(picture.bytes).toString('base64')}`
  const whole = { service: about.service, madeAt: about.now, ...rest, picture: image ?? null }
  return `${JSON.stringify(whole, null, 2)}\n`
}
