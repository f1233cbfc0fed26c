import { skeletonOf } from '#lib/text/look-alike'
import { plainText } from '#lib/text/text-rules'

/** Why a team cannot have a name; the page shows a text for each beside the field. */
export type TeamNameProblem = 'missing' | 'long' | 'characters' | 'scripts' | 'reserved' | 'lookalike'

export const longestTeamName = 80

/** Returns the problem of a name that needs no look-up in the database. */
export function teamNameProblem(name: string, serviceName: string): TeamNameProblem | undefined {
  const bare = name.trim()
  if (bare === '') return 'missing'
  if ([...bare].length > longestTeamName) return 'long'
  if (!plainText(1, longestTeamName).safeParse(bare).success || !/[\p{L}\p{N}]/u.test(bare)) return 'characters'
  if (mixesScripts(bare)) return 'scripts'
  return speaksForService(bare, serviceName) ? 'reserved' : undefined
}

/** Whether a name mixes Latin, Greek and Cyrillic letters, as imitations do; other scripts may stand beside Latin. */
const mixesScripts = (name: string): boolean =>
  [/\p{Script=Latin}/u, /\p{Script=Greek}/u, /\p{Script=Cyrillic}/u].filter((script) => script.test(name)).length > 1

/** Whether a name could pass for the service itself: its name, alone or beside a word of authority. */
function speaksForService(name: string, serviceName: string): boolean {
  const words = name.split(/[^\p{L}\p{N}]+/u).map(skeletonOf)
  const service = skeletonOf(serviceName)
  const whole = skeletonOf(name)
  if (service !== '' && (whole === service || words.includes(service))) return true
  return authority.has(whole) || (words.length > 1 && words.every((word) => authority.has(word)))
}

const authority = new Set(
  `account accounts admin administrator admins identity login official operator operators password root secure security
  service signin staff support system team the verified`
    .split(/\s+/)
    .map(skeletonOf),
)
