import { initialsOf } from '#lib/text/text-rules'
import styles from './avatar.module.css'
import { classes } from './classes.ts'

/**
 * A picture or logo; without one, the initials of the name. Always shown beside the name. `initials` are given if the name is a
 * placeholder.
 */
export function Avatar({ name, initials = initialsOf(name), src, kind = 'person', size = 'm' }: AvatarProps) {
  const look = classes(styles.avatar, styles[kind], styles[size])
  // biome-ignore lint/performance/noImgElement: pictures are resized once on upload, so there is nothing to optimise.
  if (src) return <img className={look} src={src} alt="" width={pixels[size]} height={pixels[size]} />
  return (
    <span className={look} aria-hidden="true">
      {initials}
    </span>
  )
}

const pixels = { s: 28, m: 44, l: 64, xl: 96 }

type AvatarProps = {
  name: string
  initials?: string
  src?: string | undefined
  kind?: 'person' | 'app'
  size?: keyof typeof pixels
}
