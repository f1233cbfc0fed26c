import { goTo } from '#lib/http/redirect'

/** The address of the page before it was /logout. */
export const GET = async () => goTo('/logout')
