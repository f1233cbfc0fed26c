import type en from '../../messages/en.json'
import type { Locale as OurLocale } from './locales.ts'

declare module 'next-intl' {
  interface AppConfig {
    Locale: OurLocale
    Messages: typeof en
  }
}
