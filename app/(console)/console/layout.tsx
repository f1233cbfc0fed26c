import { headers } from 'next/headers'
import type { ReactNode } from 'react'
import { isConsoleOpen, readOwnTeam } from '#app/_page/console-page.ts'
import { readVisitor } from '#app/_page/visitor.ts'
import { NotCarriedOutNotice } from '#app/_ui/not-carried-out-notice.tsx'
import { RailLayout } from '#app/_ui/rail-layout.tsx'
import { ConsoleRail } from './console-rail.tsx'

/** The layout of the console: the navigation of a team, or of the person's teams, beside the page. */
export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const [{ context, current }, sent] = await Promise.all([readVisitor(), headers()])
  // The page itself redirects to the sign-in page, or answers 404. An invitation is shown to visitors too.
  if (!current || !(await isConsoleOpen())) return children
  const { pathname } = new URL(sent.get('x-path') ?? '/', context.config.accountUrl)
  const teamId = /^\/console\/teams\/([^/]+)/.exec(pathname)?.[1]
  const team = teamId === undefined ? undefined : await readOwnTeam(decodeURIComponent(teamId))
  return (
    <RailLayout
      rail={<ConsoleRail person={current.person} issuer={context.config.issuer} team={team} path={pathname} />}
    >
      <NotCarriedOutNotice />
      {children}
    </RailLayout>
  )
}
