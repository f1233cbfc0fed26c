import type { z } from 'zod'
import { settings } from './settings.ts'

/** A setting as operators see it: never a secret. */
export type SettingInForce = { name: string; value: string; isDefault: boolean }

/** Returns every setting with its value; of a secret only whether it is set, of an address no user name, password or query. */
export function settingsInForce(raw: z.infer<typeof settings>, given: Record<string, unknown>): SettingInForce[] {
  return Object.keys(settings.shape).map((name) => ({
    name,
    value: shown(name, given[name] === undefined ? raw[name as keyof typeof raw] : given[name]),
    isDefault: given[name] === undefined,
  }))
}

function shown(name: string, value: unknown): string {
  if (value === undefined || value === null) return ''
  if (name.startsWith('SECRET_KEY') && !name.endsWith('_FILE')) return '…'
  if (Array.isArray(value)) return value.join(', ')
  if (typeof value === 'object') return Object.values(value).join(':')
  const text = String(value)
  return name.endsWith('_URL') && !text.startsWith('file:') ? withoutCredentials(text) : text
}

function withoutCredentials(text: string): string {
  if (!URL.canParse(text)) return '…'
  const { protocol, host, pathname } = new URL(text)
  if (protocol === 'mailto:') return text
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`
}
