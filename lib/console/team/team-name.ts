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
  if (/\p{Default_Ignorable_Code_Point}/u.test(bare.replace(needed, ''))) return 'characters'
  if (mixesScripts(bare)) return 'scripts'
  return speaksForService(bare, serviceName) ? 'reserved' : undefined
}

/** Invisible characters that change the letters before them: joiners of some scripts, and those of emoji. */
const needed =
  /(?<=[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{M}])[\u200c\u200d]|(?<=\p{Extended_Pictographic})\ufe0f|(?<=\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?)\u200d/gu

/**
 * Whether a name mixes scripts whose letters look alike, as imitations do, or has letters of a script that is used for
 * little else (Unicode UAX #31 excludes these from identifiers). Other scripts may stand beside Latin.
 */
const mixesScripts = (name: string): boolean =>
  rare.test(name) || alike.filter((script) => script.test(name)).length > 1

const alike = [/\p{Script=Latin}/u, /\p{Script=Greek}/u, /\p{Script=Cyrillic}/u, /\p{Script=Armenian}/u]
const rare =
  /[\p{Script=Cherokee}\p{Script=Lisu}\p{Script=Coptic}\p{Script=Deseret}\p{Script=Osage}\p{Script=Miao}\p{Script=Runic}\p{Script=Gothic}\p{Script=Old_Italic}\p{Script=Canadian_Aboriginal}\p{Script=Vai}\p{Script=Warang_Citi}]/u

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
