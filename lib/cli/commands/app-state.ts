import { type Answer, type Call, type Command, Refusal } from '#lib/cli/command'
import { withDatabase } from '#lib/cli/open'
import { operatorAct } from '#lib/cli/operator-act'
import { makeAppStore } from '#lib/db/apps/app-store'
import { operatorApps } from '#lib/db/console/operator-apps'
import { findApp } from './find-or-refuse.ts'

/** Disables, enables and removes an app. */
export const appStateCommands: Command[] = [
  {
    usage: 'app disable ID',
    summary: 'Close an app: no sign-in, no tokens, its tokens inactive; nodes see it within five seconds',
    run: (call) => setDisabled(call, true),
  },
  {
    usage: 'app enable ID',
    summary: 'Open a disabled app again; its tokens work again until they expire',
    run: (call) => setDisabled(call, false),
  },
  {
    usage: 'app remove ID',
    summary:
      'Remove an app with its consents and tokens for good (--yes); its relay addresses end, its people keep their sub',
    options: { yes: { type: 'boolean' } },
    run: remove,
  },
]

function setDisabled(call: Call, disabled: boolean): Promise<Answer> {
  return withDatabase(call, async ({ prisma }) => {
    const { id } = await findApp(prisma, call.args[0] ?? '', call.now)
    const act = operatorAct(call, disabled ? 'app_disabled' : 'app_enabled')
    await operatorApps(prisma).setDisabled(id, disabled, act)
    const isClosed = (await findApp(prisma, id, call.now)).disabledAt !== null
    return { ok: true, value: { client_id: id, disabled: isClosed }, text: stateText(id, disabled, isClosed) }
  })
}

function stateText(id: string, disabled: boolean, isClosed: boolean): string {
  if (disabled) return `App ${id} is disabled. Enable it with: cli app enable ${id}`
  // An app that was given away opens by itself; a deleted one when its team keeps it.
  if (isClosed) return `App ${id} is no longer disabled by the operator. It is closed until its deletion or move ends.`
  return `App ${id} is enabled.`
}

const batch = 500

/**
 * Disables the app first, so that no new tokens or consents appear. After an interruption, the same command completes
 * the removal.
 */
function remove(call: Call): Promise<Answer> {
  return withDatabase(call, async ({ prisma }) => {
    const { id, name } = await findApp(prisma, call.args[0] ?? '', call.now)
    if (call.flags.yes !== true)
      throw new Refusal(
        `This removes app ${id} (${name}), every consent and every token of it for good. If that is meant, add --yes. ` +
          `To close it for now: cli app disable ${id}`,
      )
    const store = makeAppStore(prisma)
    await operatorApps(prisma).setDisabled(id, true, operatorAct(call, 'app_disabled'))
    while (await store.removeUse(id, batch));
    await operatorApps(prisma).remove(id, operatorAct(call, 'app_removed'))
    return { ok: true, value: { client_id: id, removed: true }, text: `App ${id} is removed.` }
  })
}
