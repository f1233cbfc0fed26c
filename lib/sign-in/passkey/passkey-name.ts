import { originOf } from '#lib/account/activity/activity'
import { describeDevice } from '#lib/account/activity/describe-device'

/** What a new passkey is called until its owner calls it something else: the system it was made on. */
export function deviceName(request: Request): string {
  const { browser, system } = describeDevice(originOf(request).device)
  return system ?? browser ?? ''
}
