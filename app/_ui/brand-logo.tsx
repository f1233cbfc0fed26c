import type { Theme } from '#lib/account/profile/page-look'
import type { Brand } from '#lib/brand/read-brand'
import styles from './brand-logo.module.css'
import { brandPicture } from './brand-picture.ts'

/** The logo of the brand, in the look of the page. The link around it has the name of the service. */
export function BrandLogo({ brand, theme }: { brand: Brand; theme: Theme }) {
  const light = brandPicture(brand, 'logo.svg')
  const dark = brandPicture(brand, 'logo-dark.svg') ?? light
  return (
    <picture className={styles.logo}>
      {theme === 'system' && <source media="(prefers-color-scheme: dark)" srcSet={dark} />}
      {/* An SVG needs no optimisation. */}
      <img src={theme === 'dark' ? dark : light} alt="" height={32} />
    </picture>
  )
}
