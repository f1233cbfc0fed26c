import { aliasAddress, makeAliasName } from '#lib/relay/recipient/alias-address'
import type { Context } from '#lib/server/compose/context'

/** The relay address somebody has for an app already (specification §2.7). */
export async function findRelayAddress(context: Context, personId: string, appId: string): Promise<string | undefined> {
  const name = await context.aliases.findAlias(personId, appId)
  return name && aliasAddress(name, context.config.relayDomain)
}

/** Sees to it that there is one: made the first time, and the same for ever after. */
export async function ensureRelayAddress(context: Context, personId: string, appId: string): Promise<void> {
  await context.aliases.ensureAlias(personId, appId, () => makeAliasName(context.random), context.now())
}
