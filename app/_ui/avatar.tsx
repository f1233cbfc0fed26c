import styles from './avatar.module.css'
import { classes } from './classes.ts'

/** A picture or logo; without one, the initials of the name. Always shown beside the name. */
export function Avatar({ name, src, kind = 'person', size = 'm' }: AvatarProps) {
  const look = classes(styles.avatar, styles[kind], styles[size])
  // biome-ignore lint/performance/noImgElement: pictures are resized once on upload, so there is nothing to optimise.
  if (src) return <img className={look} src={src} alt="" width={pixels[size]} height={pixels[size]} />
  return (
    <span className={look} aria-hidden="true">
      {initials(name)}
    </span>
  )
}

/** Returns the first letters of the first and last word; one character for scripts without such initials. */
function initials(name: string): string {
  const words = name.trim().split(/\s+/)
  const first = [...(words[0] ?? '')][0] ?? ''
  const last = words.length > 1 && !unabbreviated.test(first) ? ([...(words.at(-1) ?? '')][0] ?? '') : ''
  return (first + last).toUpperCase()
}

const unabbreviated = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

const pixels = { s: 28, m: 44, l: 64, xl: 96 }

type AvatarProps = { name: string; src?: string | undefined; kind?: 'person' | 'app'; size?: keyof typeof pixels }
