import { domainOf, organizationOf } from '#lib/relay/mime/mailboxes'
import { formOfAddress } from './name-forms.ts'

/** Names that stay unchanged in a reply although the app sent them. */
export type Harmless = { isAddress(form: string): boolean; isHost(word: string): boolean }

/**
 * Accepts the addresses under which the app and the person write to each other, and all names in the app's own
 * organization: people repeat such names in replies, and the app's files contain them. If the person has an inbox in
 * that organization, or anyone can have one, none of its names is harmless, because a reply would then keep all of
 * them except the person's own.
 */
export function makeHarmless({ alias, reverse, to, hidden }: Parties): Harmless {
  const exact = new Set([alias, reverse, to].map(formOfAddress))
  const organization = organizationOf(domainOf(to))
  const isShared = openToAll.has(organization) || hidden.some((one) => organizationOf(domainOf(one)) === organization)
  const domains = [domainOf(alias), ...(isShared ? [] : [organization])].map((domain) => domain.toLowerCase())
  const isInside = (host: string) => domains.some((domain) => host === domain || host.endsWith(`.${domain}`))
  return {
    isAddress: (form) => exact.has(form) || (form.includes('@') && isInside(domainOf(form))),
    isHost: (word) => isInside(word.toLowerCase()),
  }
}

/** `to` is the app's address to which the reply goes. */
type Parties = { alias: string; reverse: string; to: string; hidden: string[] }

/** Providers where anyone can have an inbox, including an app. */
const openToAll = new Set(
  'gmail.com googlemail.com outlook.com hotmail.com live.com msn.com yahoo.com yahoo.co.jp aol.com icloud.com me.com mac.com proton.me protonmail.com pm.me gmx.de gmx.net gmx.com gmx.at gmx.ch web.de t-online.de freenet.de mail.com posteo.de mailbox.org fastmail.com zoho.com hey.com tutanota.com tuta.com orange.fr free.fr laposte.net sfr.fr wanadoo.fr libero.it virgilio.it comcast.net verizon.net att.net sbcglobal.net bellsouth.net btinternet.com yandex.ru yandex.com ya.ru mail.ru bk.ru inbox.ru list.ru rambler.ru qq.com foxmail.com 163.com 126.com yeah.net sina.com sohu.com aliyun.com naver.com hanmail.net daum.net docomo.ne.jp ezweb.ne.jp softbank.ne.jp rediffmail.com uol.com.br bol.com.br terra.com.br wp.pl o2.pl onet.pl interia.pl seznam.cz centrum.cz bluewin.ch telenet.be ziggo.nl kpnmail.nl bigpond.com'.split(
    ' ',
  ),
)
