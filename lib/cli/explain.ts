import { mask } from '#lib/server/observe/log'
import { SettingsError } from '#lib/server/settings/config'
import { Refusal } from './command.ts'
import { printable } from './printable.ts'

/** Returns one sentence for any error; a stack trace does not help an operator. */
export function explain(fault: unknown): string {
  if (fault instanceof SettingsError || fault instanceof Refusal) return printable(fault.message)
  const message = fault instanceof Error ? fault.message : String(fault)
  return `Something went wrong that should not have: ${printable(mask(message.trim().split('\n').at(-1) ?? ''))}`
}
