import { type Call, Refusal } from '#lib/cli/command'
import { type DerivedKeys, deriveKeys } from '#lib/crypto/derived-keys'
import { openSealed } from '#lib/crypto/seal'
import type { Database, Prisma } from '#lib/db/engine/client'
import { sealedRows } from '#lib/db/keys/sealed-rows'
import { nodeStore } from '#lib/db/nodes/node-store'
import { existingEvaluationKey } from '#lib/keys/evaluation-key'
import { findLost, type LostValues } from '#lib/keys/lost-values'
import { readMasterKeys } from '#lib/keys/master-keys'
import type { Config } from '#lib/server/settings/config'
import { findUnfit, replaceUnfit } from './unfit-keys.ts'

/** What a lost master key sealed, for the answer of a command. */
export type LostReport = ReturnType<typeof reportOf>

/**
 * Replaces the keys that no master key opens, and empties every other such value. Repeating it changes nothing. The
 * signing keys come first, so that a killed command leaves either the lost keys or new ones.
 */
export async function replaceLost(prisma: Prisma, config: Config, now: Date): Promise<LostReport> {
  const secrets = readMasterKeys(config)
  const unfit = await findUnfit(prisma, now, ({ purpose, sealed }) => !openSealed(secrets.all(purpose), sealed))
  await replaceUnfit(unfit, { prisma, secrets, now })
  return reportOf(await findLost(secrets, sealedRows(prisma), { forget: true }))
}

/** Returns what `replaceLost` would report, and changes nothing. */
export const lookForLost = async (call: Call, prisma: Prisma, config: Config): Promise<LostReport> =>
  reportOf(await findLost(keysToLookWith(call, config), sealedRows(prisma)))

/** An evaluation without a master key would get a new one, which opens nothing; a dry run does not store it. */
const keysToLookWith = (call: Call, config: Config): DerivedKeys =>
  config.secretKey || existingEvaluationKey(config.dataDir) ? readMasterKeys(config) : deriveKeys(call.random(32))

const reportOf = (lost: LostValues) => ({
  signing_keys: lost['signing-key-at-rest'] ?? [],
  mail_keys: lost['mail-key-at-rest'] ?? [],
  authenticator_apps: lost['totp-of-person']?.length ?? 0,
  event_receivers: lost['event-receiver'] ?? [],
})

/** Refuses when nothing is lost: the operator may have meant a leaked key. */
export function expectLost(report: LostReport): void {
  if (describeLost(report).length === 0)
    throw new Refusal('SECRET_KEY opens every stored value; nothing is lost. For leaked keys: cli keys replace --yes')
}

/** Refuses while a server runs: it has the key, so this command may have the wrong settings. */
export async function refuseWhileServersRun(database: Database): Promise<void> {
  const running = (await nodeStore(database).list()).find(({ isAlive }) => isAlive)
  if (running)
    throw new Refusal(
      `A server runs on ${running.hostName}. If the key is lost, stop every server first. After a crash, wait 30 seconds.`,
    )
}

/** Says what is lost and what to do next, in lines. */
export function describeLost({ signing_keys, mail_keys, authenticator_apps, event_receivers }: LostReport): string[] {
  const lines: string[] = []
  if (signing_keys.length > 0)
    lines.push(
      `Lost: ${signing_keys.length} signing keys. New ones take their place; tokens signed so far are refused.`,
    )
  if (mail_keys.length > 0)
    lines.push(
      `Lost: ${mail_keys.length} keys for mail. The relay defers mail until DNS has the records of the next pair. Publish them: cli relay dns. Then run: cli relay keys`,
    )
  if (authenticator_apps > 0)
    lines.push(
      `Lost: ${authenticator_apps} authenticator apps. Their codes are refused. People sign in with a passkey or a recovery code, and set the app up again. For a person who has neither: cli user reset USERNAME --remove-second-factor`,
    )
  if (event_receivers.length > 0)
    lines.push(
      `Lost: the Authorization value of event receivers. Their teams enter it again: ${event_receivers.join(', ')}`,
    )
  return lines
}
