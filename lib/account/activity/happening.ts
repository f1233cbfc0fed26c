import type { Context } from '#lib/server/compose/context'
import { originOf } from './activity.ts'
import { describeDevice } from './describe-device.ts'

/** When, with what and from where something was done, as a letter tells it. */
export function happening(context: Context, request: Request): { at: Date; device: string; address: string } {
  const { address, device } = originOf(request)
  const { browser, system } = describeDevice(device)
  return { at: context.now(), device: [browser, system].filter(Boolean).join(', '), address }
}
