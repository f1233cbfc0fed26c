import { cookieName, readCookie, setCookie } from '#lib/http/cookies'
import { goTo, pathWith } from '#lib/http/redirect'
import type { Site } from '#lib/http/site'

/** The sections that "This wasn’t me" leads through (issue "A product people enjoy", item 16). */
const sections = ['/account/security', '/account/email', '/account/apps']

/** Long enough to look at passkeys, address and apps. */
const seconds = 1800

const isMoment = (text: string) => text === 'now' || /^[\dTZ:.-]{24}$/.test(text)

/** Returns the page of the steps, for the event at this time. */
const stepsPage = (at: string): string => pathWith('/account/activity/secure', { at: at === 'now' ? undefined : at })

/** Returns the link that leads to a section and keeps the way back; without a section, the link that ends the steps. */
export const secureStepLink = (at: Date | undefined, to?: string): string =>
  pathWith('/account/activity/secure/go', { to, at: at?.toISOString() ?? 'now' })

/** GET /account/activity/secure/go: leads to a section, whose pages then link back to the steps. */
export async function answerSecureStep(context: Site, request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url)
  const to = sections.find((section) => section === searchParams.get('to'))
  const at = searchParams.get('at') ?? ''
  if (to && isMoment(at)) return goTo(to, [setCookie(context, 'secure', at, seconds)])
  return goTo('/account/activity', [setCookie(context, 'secure', '', 0)])
}

/** Returns the page of the steps when a page belongs to a section that they lead to, and they are not over. */
export function wayBackToSteps(site: Pick<Site, 'config'>, cookies: string | null, path: string): string | undefined {
  const at = readCookie(cookies, cookieName(site, 'secure')) ?? ''
  const isInside = sections.some((section) => path === section || path.startsWith(`${section}/`))
  return isInside && isMoment(at) ? stepsPage(at) : undefined
}
