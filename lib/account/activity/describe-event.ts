import { originOf } from './activity.ts'

/** Returns when, with which device and from which address a request came, for a letter to its owner. */
export function describeEvent(
  { now }: { now(): Date },
  request: Request,
): { at: Date; device: string; address: string } {
  const { address, device } = originOf(request)
  const { browser, system } = describeDevice(device)
  return { at: now(), device: [browser, system].filter(Boolean).join(', '), address }
}

/** Browser and operating system by their common names; undefined when they are not recognized. */
export type Device = { browser: string | undefined; system: string | undefined }

/** Reads browser and system from a User-Agent header; the client may send any value. */
export function describeDevice(userAgent: string): Device {
  const first = (names: readonly (readonly [RegExp, string])[]) => names.find(([sign]) => sign.test(userAgent))?.[1]
  return { browser: first(browsers), system: first(systems) }
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
