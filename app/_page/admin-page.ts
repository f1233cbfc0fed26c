import { headers } from 'next/headers'
import { notFound, redirect } from 'next/navigation'
import { cache } from 'react'
import { accessOf } from '#lib/admin/access'
import { secondFactorPage } from '#lib/admin/paths'
import { addressHeader } from '#lib/http/headers'
import { readAccountPage } from './account-page.ts'
import { pathHere } from './page-context.ts'
import { readVisitor } from './visitor.ts'

/** Returns the visitor's access to the operators' pages; cached for one rendering. */
export const readAccess = cache(async () => {
  const [{ context, current }, sent] = await Promise.all([readVisitor(), headers()])
  return current ? accessOf(context, current, sent.get(addressHeader) ?? '') : 'none'
})

/**
 * Returns the data of a page of the operators. Answers 404 to any other person and from other networks, and leads an
 * operator who has signed in with one factor to the page about the second one.
 */
export async function readAdminPage() {
  const page = await readAccountPage(await pathHere())
  const access = await readAccess()
  if (access === 'none') notFound()
  if (access === 'one factor') redirect(secondFactorPage)
  return page
}
