import { goTo } from '#lib/http/redirect'

/** The former address of /logout. */
export const GET = async () => goTo('/logout')
