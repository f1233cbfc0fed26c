import type { Locale as OurLocale } from '#lib/text/locales'
import type { Messages as OurMessages } from '#lib/text/messages'

declare module 'next-intl' {
  interface AppConfig {
    Locale: OurLocale
    Messages: OurMessages
  }
}
