/** Everything that is stored about a person, except secrets and values derived from secrets. */
export type PersonalData = {
  account: Record<string, unknown>
  profile: Record<string, string>
  picture: { mediaType: string; bytes: Uint8Array } | undefined
  /** Addresses that were not confirmed yet. */
  waitingEmails: Record<string, unknown>[]
  /** Addresses that were bound before. */
  formerEmails: Record<string, unknown>[]
  /** Changes of the bound address that could be undone, for some days. */
  emailChanges: Record<string, unknown>[]
  /** The times at which mail to the bound address bounced. */
  returnedMail: Date[]
  identifiers: { team: string; sub: string; since: Date }[]
  /** Both identifiers for an app that came to another team; the new team can read them until that time. */
  movedIdentifiers: { app: string; oldSub: string; newSub: string; until: Date }[]
  /** The teams of the developer console that the person is a member of. */
  teams: { team: string; role: string; since: Date }[]
  /** The tokens that the person made for programs. */
  teamTokens: Record<string, unknown>[]
  /** The sign-ins that the person tried in the developer console; kept for minutes. */
  triedApps: { app: string; at: Date }[]
  /** Since when the person has been an operator. */
  operatorSince: Date | null
  /** A pending removal of all passkeys and second factors. */
  factorReset: { reason: string; createdAt: Date; dueAt: Date } | null
  apps: Record<string, unknown>[]
  approvals: Record<string, unknown>[]
  hideMyEmail: Record<string, unknown>[]
  /** The security events that apps got about the person; kept for days. */
  securityEvents: Record<string, unknown>[]
  sessions: Record<string, unknown>[]
  passkeys: Record<string, unknown>[]
  secondFactor: { authenticatorAppSince: Date | null; recoveryCodes: Record<string, unknown>[] }
  activity: Record<string, unknown>[]
}

/** Reads the data for the download. */
export type PersonalDataStore = { read(personId: string): Promise<PersonalData> }

/** Returns the person's data as a JSON file. */
export function personalDataFile(data: PersonalData, about: { service: string; now: Date }): string {
  const { picture, ...rest } = data
  const image = picture && `data:${picture.mediaType};base64,${Buffer.from(picture.bytes).toString('base64')}`
  const whole = { service: about.service, madeAt: about.now, ...rest, picture: image ?? null }
  return `${JSON.stringify(whole, null, 2)}\n`
}
