import type { ConnectionStore } from '#lib/account/connected-apps/connection'
import type { DeletionStore } from '#lib/account/data/deletion'
import type { PersonalDataStore } from '#lib/account/data/personal-data'
import type { EmailStore, EmailUndoStore } from '#lib/account/email/store'
import type { ByHandStore, OwnAliasStore } from '#lib/account/hide-my-email/store'
import type { ProfileStore } from '#lib/account/profile/profile'
import type { PictureStore } from '#lib/account/profile/serve-picture'
import type { SessionsStore } from '#lib/account/sessions/store'
import { sessionDays } from '#lib/account/signed-in/session'
import { byHandStore } from '#lib/db/account/by-hand-store'
import { connectionStore } from '#lib/db/account/connection-store'
import { deletionStore } from '#lib/db/account/deletion-store'
import { hideMyEmailStore } from '#lib/db/account/hide-my-email-store'
import { personalDataStore } from '#lib/db/account/personal-data'
import { pictureStore } from '#lib/db/account/picture-store'
import { profileStore } from '#lib/db/account/profile-store'
import { sessionsStore } from '#lib/db/account/sessions-store'
import { emailStore } from '#lib/db/email/email-store'
import { emailUndoStore } from '#lib/db/email/email-undo-store'
import { deletionJournal } from '#lib/db/restore/deletion-journal'
import { makeAliasName, randomFrom } from '#lib/relay/recipient/local-part'
import type { Parts } from './parts.ts'

/** The stores of the account pages. */
export type AccountStores = {
  connections: ConnectionStore
  hideMyEmail: OwnAliasStore
  byHand: ByHandStore
  sessions: SessionsStore
  pictures: PictureStore
  profiles: ProfileStore
  deletions: DeletionStore
  personalData: PersonalDataStore
  emails: EmailStore
  emailUndos: EmailUndoStore
}

/** Composes the stores of the account pages; `nudge` delivers what a change has queued. */
export const composeAccount = (
  { config, database: { prisma }, random, secrets }: Parts,
  nudge: () => void,
): AccountStores => ({
  connections: connectionStore(prisma),
  hideMyEmail: hideMyEmailStore(prisma),
  byHand: byHandStore(prisma, (personId, key) =>
    makeAliasName(key === '' ? random : randomFrom(secrets.current('relay-mark'), 'by hand', personId, key)),
  ),
  sessions: sessionsStore(prisma, sessionDays.idle, nudge),
  pictures: pictureStore(prisma),
  profiles: profileStore(prisma),
  deletions: deletionStore(prisma, nudge, deletionJournal(config.deletionJournal)),
  personalData: personalDataStore(prisma),
  emails: emailStore(prisma),
  emailUndos: emailUndoStore(prisma, nudge),
})
