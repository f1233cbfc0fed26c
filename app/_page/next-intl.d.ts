import type { Messages as OurMessages } from '#lib/text/messages'

declare module 'next-intl' {
  interface AppConfig {
    Messages: OurMessages
  }
}
