import { headers } from 'next/headers'
import type { ReactNode } from 'react'
import { readAccess } from '#app/_page/admin-page.ts'
import { isConsoleOpen } from '#app/_page/console-page.ts'
import { readVisitor } from '#app/_page/visitor.ts'
import { RailLayout } from '#app/_ui/rail-layout.tsx'
import { AccountRail } from './account-rail.tsx'
import { LeavingNotice } from './leaving-notice.tsx'
import { ResetNotice } from './reset-notice.tsx'

/** The layout of every account page. */
export default async function AccountLayout({ children }: { children: ReactNode }) {
  const [{ context, current }, sent] = await Promise.all([readVisitor(), headers()])
  // The page itself redirects to the sign-in page without a session.
  if (!current) return children
  const { pathname, searchParams } = new URL(sent.get('x-path') ?? '/account', context.config.accountUrl)
  const { deleteAfter } = current.person
  const reset = await context.factorResets.pending(current.person.id)
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
      {children}
    </RailLayout>
  )
}
