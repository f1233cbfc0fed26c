import { originOf } from '#lib/account/activity/activity'
import { describeDevice } from '#lib/account/activity/describe-event'

/** Returns the name of a new passkey until its owner renames it: the system of the device. */
export function deviceName(request: Request): string {
  const { browser, system } = describeDevice(originOf(request).device)
  return system ?? browser ?? ''
}

/** Numbers a name that is taken: the second "Linux" is "Linux 2". */
export function numberName(name: string, taken: readonly string[]): string {
  const names = new Set(taken)
  if (name === '' || !names.has(name)) return name
  let number = 2
  while (names.has(`${name} ${number}`)) number += 1
  return `${name} ${number}`
}
