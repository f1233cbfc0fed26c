import enAccount from '../../messages/en/account.json' with { type: 'json' }
import enCore from '../../messages/en/core.json' with { type: 'json' }
import enEmail from '../../messages/en/email.json' with { type: 'json' }
import enEntry from '../../messages/en/entry.json' with { type: 'json' }
import enHideMyEmail from '../../messages/en/hide-my-email.json' with { type: 'json' }
import enSharing from '../../messages/en/sharing.json' with { type: 'json' }
import jaAccount from '../../messages/ja/account.json' with { type: 'json' }
import jaCore from '../../messages/ja/core.json' with { type: 'json' }
import jaEmail from '../../messages/ja/email.json' with { type: 'json' }
import jaEntry from '../../messages/ja/entry.json' with { type: 'json' }
import jaHideMyEmail from '../../messages/ja/hide-my-email.json' with { type: 'json' }
import jaSharing from '../../messages/ja/sharing.json' with { type: 'json' }
import zhCNAccount from '../../messages/zh-CN/account.json' with { type: 'json' }
import zhCNCore from '../../messages/zh-CN/core.json' with { type: 'json' }
import zhCNEmail from '../../messages/zh-CN/email.json' with { type: 'json' }
import zhCNEntry from '../../messages/zh-CN/entry.json' with { type: 'json' }
import zhCNHideMyEmail from '../../messages/zh-CN/hide-my-email.json' with { type: 'json' }
import zhCNSharing from '../../messages/zh-CN/sharing.json' with { type: 'json' }
import zhTWAccount from '../../messages/zh-TW/account.json' with { type: 'json' }
import zhTWCore from '../../messages/zh-TW/core.json' with { type: 'json' }
import zhTWEmail from '../../messages/zh-TW/email.json' with { type: 'json' }
import zhTWEntry from '../../messages/zh-TW/entry.json' with { type: 'json' }
import zhTWHideMyEmail from '../../messages/zh-TW/hide-my-email.json' with { type: 'json' }
import zhTWSharing from '../../messages/zh-TW/sharing.json' with { type: 'json' }
import type { Locale } from './locales.ts'

/** Every text, by language; one file for each task of people. */
export const messages = {
  en: { ...enCore, ...enEntry, ...enEmail, ...enSharing, ...enAccount, ...enHideMyEmail },
  ja: { ...jaCore, ...jaEntry, ...jaEmail, ...jaSharing, ...jaAccount, ...jaHideMyEmail },
  'zh-CN': { ...zhCNCore, ...zhCNEntry, ...zhCNEmail, ...zhCNSharing, ...zhCNAccount, ...zhCNHideMyEmail },
  'zh-TW': { ...zhTWCore, ...zhTWEntry, ...zhTWEmail, ...zhTWSharing, ...zhTWAccount, ...zhTWHideMyEmail },
}

export type Messages = (typeof messages)['en']

/** Returns the texts of a language, for answers that are made without Next. */
export const messagesFor = (locale: Locale): Messages => messages[locale]
