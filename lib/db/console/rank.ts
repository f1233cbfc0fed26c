import type { Role } from '#lib/console/roles'

/** The rank of each role of a team; a greater one may do more. */
export const rank: Record<Role, number> = { viewer: 0, developer: 1, owner: 2 }
