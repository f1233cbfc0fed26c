import type { Locale as OurLocale, Messages as OurMessages } from '#lib/text/messages'

declare module 'next-intl' {
  interface AppConfig {
    Locale: OurLocale
    Messages: OurMessages
  }
}
