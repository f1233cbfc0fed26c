import type { Theme } from '#lib/account/profile/page-look'
import { textsOf } from '#lib/brand/brand-texts'
import { walledGate } from '#lib/server/plain-page/gate-shapes'
import { plainPage } from '#lib/server/plain-page/plain-page'
import type { Config } from '#lib/server/settings/config'
import type { Messages } from '#lib/text/messages'
import { escapeHtml } from '#lib/text/text-rules'

/** Returns the page of an error, made without Next. */
export function faultPage({ status, words, back, requestId, locale, theme, config, nonce }: Fault): string {
  const { serviceName, brand, accountUrl } = config
  const texts = textsOf(brand, locale)
  const name = words ?? faults[status] ?? (status < 500 ? 'badRequest' : 'broken')
  const fault = texts.fault[name]
  const say = (text: string) => escapeHtml(text.replaceAll('{service}', serviceName))
  const [way, label] = name === 'tooLarge' && back ? [back, texts.fault.back] : [`${accountUrl}/`, texts.fault.home]
  const onward = leadOn.has(name) ? `\n<p><a href="${escapeHtml(way)}">${say(label)}</a></p>` : ''
  const main = `${brand.isOwn ? '' : walledGate}<h1>${say(fault.title)}</h1>
<p>${say(fault.what)}</p>
<p>${say(fault.next)}</p>${onward}
<p class="request">${say(texts.error.request)} <code translate="no">${escapeHtml(requestId)}</code></p>`
  const title = fault.title.replaceAll('{service}', serviceName)
  return plainPage({ title, main, locale, theme, serviceName, brand, nonce })
}

const faults: Readonly<Record<number, FaultName>> = {
  400: 'badRequest',
  404: 'notFound',
  405: 'wrongMethod',
  413: 'tooLarge',
  431: 'headersTooLarge',
  500: 'broken',
  503: 'unavailable',
}

/**
 * Going back or trying again may lead nowhere, so these pages have a link. The others say what to do instead. A form that
 * is too large leads back to its page, since a reload would send it again; every other page leads to the home page.
 */
const leadOn: ReadonlySet<FaultName> = new Set<FaultName>([
  'badRequest',
  'notFound',
  'wrongMethod',
  'tooLarge',
  'broken',
])

export type FaultName = Exclude<keyof Messages['fault'], 'home' | 'back'>

type Fault = {
  status: number
  /** Selects the text; without `words`, the status selects it. */
  words?: FaultName | undefined
  /** The path of the page that sent the form. */
  back?: string | undefined
  requestId: string
  locale: string
  theme: Theme
  config: Pick<Config, 'serviceName' | 'brand' | 'accountUrl'>
  nonce: string
}
