/** Every language, both appearances, and widths from the smallest phone to a desktop. */
export const looks = {
  'desktop-light-en': { viewport: { width: 1280, height: 860 }, locale: 'en', colorScheme: 'light' },
  'phone-dark-ja': { viewport: { width: 390, height: 780 }, locale: 'ja', colorScheme: 'dark' },
  'small-light-zh-TW': { viewport: { width: 320, height: 640 }, locale: 'zh-TW', colorScheme: 'light' },
  'desktop-dark-zh-CN': { viewport: { width: 1280, height: 860 }, locale: 'zh-CN', colorScheme: 'dark' },
} as const
