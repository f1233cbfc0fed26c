import { pageContext } from '#app/_page/page-context.ts'
import { brandPicture } from './brand-picture.ts'
import styles from './mark.module.css'

/** The mark of the service, or the icon of its brand. Decorative: the name is always beside it. */
export async function Mark({ size = 28 }: { size?: number }) {
  const { brand } = (await pageContext()).config
  const icon = brandPicture(brand, 'favicon.svg')
  // biome-ignore lint/performance/noImgElement: an SVG needs no optimisation.
  if (icon) return <img className={styles.mark} src={icon} alt="" width={size} height={size} />
  return brand.isOwn ? null : <OurMark size={size} />
}

const OurMark = ({ size }: { size: number }) => (
  <svg className={styles.mark} width={size} height={size} viewBox="0 0 32 32" fill="none" aria-hidden="true">
    <path stroke="currentColor" strokeWidth="2.5" d="M6 28V14.5a10 10 0 0 1 20 0V28" />
    <path fill="currentColor" d="M4.75 28V14.5C4.75 9 9 6.8 16.6 7.2v23.6z" />
  </svg>
)
