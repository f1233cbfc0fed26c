import { readCookie } from '#lib/http/cookies'
import { acceptedLanguages } from '#lib/text/messages'
import { knownTimeZone, regionalEnglish, type TimeForm, timeZoneCookie } from '#lib/text/region/time-form'
import { originOf } from './activity.ts'

/** Returns time, form of times, device and network address of a request, for a letter to the owner of the account. */
export function describeEvent(
  { now }: { now(): Date },
  request: Request,
): { at: Date; timeForm: TimeForm; device: string; address: string } {
  const { address, device } = originOf(request)
  const { browser, system } = describeDevice(device)
  return { at: now(), timeForm: timeFormOf(request), device: [browser, system].filter(Boolean).join(', '), address }
}

/** Returns how the browser that sent a request writes times. A browser that hides its time zone sends UTC, so UTC counts as unknown. */
export function timeFormOf(request: Request): TimeForm {
  const { headers } = request
  const timeZone = knownTimeZone(readCookie(headers.get('cookie'), timeZoneCookie))
  const english = regionalEnglish(acceptedLanguages(headers.get('accept-language')))
  return { timeZone: timeZone === 'UTC' ? '' : timeZone, english: english === 'en' ? '' : english }
}

/** Browser and operating system by their common names; undefined when they are not recognized. */
export type Device = { browser: string | undefined; system: string | undefined }

/** Reads browser and system from a User-Agent header, which the client can forge. */
export function describeDevice(userAgent: string): Device {
  const first = (names: readonly (readonly [RegExp, string])[]) => names.find(([sign]) => sign.test(userAgent))?.[1]
  return { browser: first(browsers), system: first(systems) }
}

/** Returns the kind of device of a User-Agent; tablets with Android omit "Mobile". */
export function kindOfDevice(userAgent: string): 'phone' | 'tablet' | 'computer' {
  const { system } = describeDevice(userAgent)
  if (system === 'iPad' || (system === 'Android' && !/\bMobile\b/.test(userAgent))) return 'tablet'
  return system === 'iPhone' || system === 'Android' ? 'phone' : 'computer'
}

/** Ordered from specific to generic: most User-Agents also contain "Chrome", and Chrome's contains "Safari". */
const browsers = [
  [/\bEdg(A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera|OPiOS|OPT)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bYaBrowser\//, 'Yandex Browser'],
  [/\bMicroMessenger\//, 'WeChat'],
  [/\bLine\//, 'LINE'],
  [/\bUC ?Browser\//, 'UC Browser'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
  [/\b(iPhone|iPad).*AppleWebKit\//, 'Safari'],
] as const

const systems = [
  [/\bWindows\b/, 'Windows'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
] as const
