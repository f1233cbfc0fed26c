import { originOf } from './activity.ts'
import { describeDevice } from './describe-device.ts'

/** Returns when, with which device and from which address a request came, for a letter to its owner. */
export function describeEvent(
  { now }: { now(): Date },
  request: Request,
): { at: Date; device: string; address: string } {
  const { address, device } = originOf(request)
  const { browser, system } = describeDevice(device)
  return { at: now(), device: [browser, system].filter(Boolean).join(', '), address }
}
