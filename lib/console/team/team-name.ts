import { skeletonOf } from '#lib/text/look-alike'
import { plainText } from '#lib/text/text-rules'

/** Why a team cannot have a name; the page shows a text for each beside the field. */
export type TeamNameProblem = 'missing' | 'long' | 'characters' | 'address' | 'scripts' | 'reserved' | 'lookalike'

export const longestTeamName = 80

/** Returns the problem of a name that needs no look-up in the database. */
export function teamNameProblem(name: string, serviceName: string): TeamNameProblem | undefined {
  const bare = name.trim()
  if (bare === '') return 'missing'
  if ([...bare].length > longestTeamName) return 'long'
  if (!plainText(1, longestTeamName).safeParse(bare).success || !/[\p{L}\p{N}]/u.test(bare)) return 'characters'
  // A blank Braille pattern is invisible too, and many marks on one letter cover the lines around it.
  if (/\p{Default_Ignorable_Code_Point}|\u2800|\p{M}{5}/u.test(bare.replace(needed, ''))) return 'characters'
  if (address.test(bare.normalize('NFKC'))) return 'address'
  if (mixesScripts(bare)) return 'scripts'
  return speaksForService(bare, serviceName) ? 'reserved' : undefined
}

/** An address of the web or of mail: letters about the team would show it as a link of the service. */
const address = /:\/\/|\bwww\.|\S@\S+\.\S|\w\.\p{L}{2,}\//iu

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

/**
 * Whether a name could pass for the service itself: words of authority alone, or the name of the service as words of the
 * name or joined to words of authority.
 */
function speaksForService(name: string, serviceName: string): boolean {
  const [service, whole] = [skeletonOf(serviceName), skeletonOf(name)]
  if (new RegExp(`^(?:${authority})+$`).test(whole)) return true
  if (service === '') return false
  const words = name.split(/[^\p{L}\p{N}]+/u)
  return (
    // A skeleton has only letters and digits.
    new RegExp(`^(?:${authority})*${service}(?:${authority})*$`).test(whole) ||
    words.some((_, first) => words.some((__, last) => skeletonOf(words.slice(first, last + 1).join('')) === service))
  )
}

const authority =
  `account accounts admin administrator admins help identity login official operator operators password root secure
  security service signin staff support system team the verified
  官方 客服 支持 客户支持 客戶支援 技术支持 技術支援 系统 系統 管理员 管理員 安全 安全中心 账户 账号 帳戶 帳號 登录 登入 团队 團隊
  公式 サポート 運営 事務局 管理者 管理人 システム セキュリティ アカウント ログイン チーム`
    .split(/\s+/)
    .map(skeletonOf)
    .join('|')
