import en from '../../messages/en.json' with { type: 'json' }
import ja from '../../messages/ja.json' with { type: 'json' }
import zhCN from '../../messages/zh-CN.json' with { type: 'json' }
import zhTW from '../../messages/zh-TW.json' with { type: 'json' }
import type { Locale } from './locales.ts'

const messages = { en, ja, 'zh-CN': zhCN, 'zh-TW': zhTW }

/** The words of a language, for what is answered without Next. */
export const messagesFor = (locale: Locale) => messages[locale]
