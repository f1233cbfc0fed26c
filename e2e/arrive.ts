import type { Page } from '@playwright/test'
import type { ServerProcess } from './server-process.ts'
import { signIn } from './sign-in.ts'

const password = 'a wicket in the orchard wall'
let people = 0

/** Creates a new person and signs them in on a page of their account. */
export async function arrive(page: Page, postern: ServerProcess, path = '/account', about = {}) {
  const person = { username: `person-${process.pid}-${++people}`, password, name: 'Grace Hopper', ...about }
  await postern.apply({ people: [person] })
  await page.goto(`${postern.accountUrl}${path}`)
  await signIn(page, person)
  await page.waitForURL((url) => url.pathname === path)
  return person
}
