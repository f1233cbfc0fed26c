import { headers } from 'next/headers'
import type { ReactNode } from 'react'
import { readVisitor } from '#app/_page/visitor.ts'
import styles from './layout.module.css'
import { LeavingNotice } from './leaving-notice.tsx'
import { Rail } from './rail.tsx'

/** The layout of every account page; it sets the gaps between heading and cards. */
export default async function AccountLayout({ children }: { children: ReactNode }) {
  const [{ context, current }, sent] = await Promise.all([readVisitor(), headers()])
  // The page itself redirects to the sign-in page without a session.
  if (!current) return children
  const { pathname, searchParams } = new URL(sent.get('x-path') ?? '/account', context.config.accountUrl)
  const { deleteAfter } = current.person
  return (
    <div className={styles.account}>
      <Rail
        person={current.person}
        issuer={context.config.issuer}
        path={pathname}
        offersRelay={context.config.offersRelay}
      />
      <div className={styles.page}>
        {deleteAfter && <LeavingNotice at={deleteAfter} sealed={searchParams.get('request')} />}
        {children}
      </div>
    </div>
  )
}
