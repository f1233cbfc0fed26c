import type { Locale as OurLocale } from './locales.ts'
import type { Messages as OurMessages } from './messages.ts'

declare module 'next-intl' {
  interface AppConfig {
    Locale: OurLocale
    Messages: OurMessages
  }
}
