import type { ServerProcess } from '../../e2e/server-process.ts'
import type { Workload } from '../workload.ts'
import { password } from './installation.ts'
import type { PageRow } from './page-row.ts'

/** More people than connections, so that two attempts for one account are never underway at the same time. */
const numbers = Array.from({ length: 64 }, (_, index) => String(index))

/** The people who sign in, each from a network of their own, so that no limiter refuses an attempt. */
export const formPeople = numbers.map((number) => ({ username: `person-${number}`, password }))

/** The form of the sign-in, with the right password and with an empty one. */
export function signInForms({ accountUrl, pid = 0 }: ServerProcess): PageRow[] {
  const url = new URL('/signin/submit', accountUrl)
  const form = (fields: Record<string, string>, redirect: string): Workload => ({
    method: 'POST',
    path: url.pathname,
    headers: { 'sec-fetch-site': 'same-origin', 'x-forwarded-for': '198.51.100.{value}' },
    body: `username=person-{value}&${new URLSearchParams(fields)}`,
    values: numbers,
    mustContain: '',
    redirect,
  })
  const row = (name: string, workload: Workload): PageRow => ({
    name,
    pid,
    workload: () => workload,
    url,
    bytes: undefined,
  })
  return [
    row('sign-in form, right password', form({ to: '/account', password }, '/account')),
    row('sign-in form, without a password', form({ to: '/account', password: '' }, '/signin')),
  ]
}
