import { headers } from 'next/headers'
import { getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { readAccess } from '#app/_page/admin-page.ts'
import { isConsoleOpen } from '#app/_page/console-page.ts'
import { readVisitor } from '#app/_page/visitor.ts'
import { BackLink } from '#app/_ui/back-link.tsx'
import { NotCarriedOutNotice } from '#app/_ui/not-carried-out-notice.tsx'
import { RailLayout } from '#app/_ui/rail-layout.tsx'
import { wayBackToSteps } from '#lib/account/activity/secure-steps'
import { AccountRail } from './account-rail.tsx'
import { LeavingNotice } from './leaving-notice.tsx'
import { ResetNotice } from './reset-notice.tsx'

/** The layout of every account page. */
export default async function AccountLayout({ children }: { children: ReactNode }) {
  const [{ context, current }, sent, t] = await Promise.all([
    readVisitor(),
    headers(),
    getTranslations('activity.secureFlow'),
  ])
  // The page itself redirects to the sign-in page without a session.
  if (!current) return children
  const { pathname, searchParams } = new URL(sent.get('x-path') ?? '/account', context.config.accountUrl)
  const { deleteAfter } = current.person
  const reset = await context.factorResets.pending(current.person.id)
  const steps = wayBackToSteps(context, sent.get('cookie'), pathname)
  const offers = {
    relay: context.config.offersRelay,
    console: await isConsoleOpen(),
    operators: (await readAccess()) !== 'none',
  }
  return (
    <RailLayout
      rail={<AccountRail person={current.person} issuer={context.config.issuer} path={pathname} offers={offers} />}
    >
      {deleteAfter && <LeavingNotice at={deleteAfter} sealed={searchParams.get('request')} />}
      {reset && <ResetNotice at={reset.dueAt} reason={reset.reason} />}
      {steps && <BackLink href={steps}>{t('back')}</BackLink>}
      <NotCarriedOutNotice />
      {children}
    </RailLayout>
  )
}
