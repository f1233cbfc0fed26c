import type { DerivedKeys, Purpose } from '#lib/crypto/derived-keys'
import type { Prisma } from '#lib/db/engine/client'
import { keyStore } from '#lib/db/keys/key-store'
import { mailKeyStore } from '#lib/db/relay/mail-key-store'
import { replaceLeakedKeys } from '#lib/keys/rotate-signing-keys'
import { replaceMailKeys } from '#lib/relay/dkim/rotate-mail-keys'

/** A stored private key: its `kid` or its selector, and the sealed value. */
export type SealedKey = { id: string; purpose: Purpose; sealed: string }

/** Which keys must not sign any more, because they leaked or were lost. */
export type Unfit = { signing: boolean; mail: boolean }

/** Returns whether one of the published signing keys is unfit, and whether the newest pair for mail is. */
export async function findUnfit(prisma: Prisma, now: Date, isUnfit: (key: SealedKey) => boolean): Promise<Unfit> {
  const signing = (await keyStore(prisma).listKeys(now)).map(({ kid, sealedPrivate }) =>
    isUnfit({ id: kid, purpose: 'signing-key-at-rest', sealed: sealedPrivate }),
  )
  const pairs = await mailKeyStore(prisma).listMailKeys()
  const newest = pairs.filter(({ generation }) => generation === pairs.at(-1)?.generation)
  const mail = newest.map(({ selector, sealedPrivate }) =>
    isUnfit({ id: selector, purpose: 'mail-key-at-rest', sealed: sealedPrivate }),
  )
  return { signing: signing.includes(true), mail: mail.includes(true) }
}

type Needs = { prisma: Prisma; secrets: DerivedKeys; now: Date }

/** Replaces the signing keys at once, and makes the next pair for mail, which signs once DNS has its records. */
export async function replaceUnfit({ signing, mail }: Unfit, { prisma, secrets, now }: Needs): Promise<void> {
  if (signing) await replaceLeakedKeys({ store: keyStore(prisma), secrets, now: () => now })
  if (mail) await replaceMailKeys({ store: mailKeyStore(prisma), secrets, now: () => now })
}
