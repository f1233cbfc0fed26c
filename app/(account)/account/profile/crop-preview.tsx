import { useTranslations } from 'next-intl'
import { avatarLimits } from '#lib/account/profile/avatar'
import styles from './picture-form.module.css'

/** The preview of the cropped picture; hidden until the script has a picture. */
export function CropPreview() {
  const t = useTranslations('picture')
  return (
    <div hidden data-crop data-bytes={avatarLimits.bytes} data-pixels={avatarLimits.pixels} className={styles.crop}>
      <div className={styles.stage}>
        <canvas width={480} height={480} role="img" aria-label={t('preview')} />
      </div>
      <div className={styles.sliders}>
        <p>{t('drag')}</p>
        {(['zoom', 'across', 'down'] as const).map((slider) => (
          <label key={slider}>
            {t(slider)}
            <input type="range" min={0} max={1000} step="any" defaultValue={0} />
          </label>
        ))}
      </div>
      {['x', 'y', 'size'].map((name) => (
        <input key={name} type="hidden" name={name} defaultValue="" />
      ))}
    </div>
  )
}
