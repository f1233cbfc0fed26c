import type { ConsentQuestion } from '#lib/oauth/authorize/consent'

/** Something new beside what was decided before; the first time nothing is called new. */
export const asksForMore = ({ scopes }: ConsentQuestion): boolean =>
  scopes.some((scope) => scope.isNew) && scopes.some((scope) => !scope.isNew)
