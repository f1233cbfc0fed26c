import { useLocale, useTranslations } from 'next-intl'
import { ChoiceBar } from '#app/_ui/choice-bar.tsx'
import { type Theme, themes } from '#lib/account/profile/page-look'
import { languageNames, pageLanguage } from '#lib/brand/brand-texts'
import type { Config } from '#lib/server/settings/config'
import styles from './site-footer.module.css'

/** Language, appearance and the operator's own pages. */
export function SiteFooter({ theme, back, config }: SiteFooterProps) {
  const links = {
    terms: config.termsUrl,
    privacy: config.privacyUrl,
    docs: config.docsUrl,
    support: config.supportUrl,
    imprint: config.imprintUrl,
  }
  const t = useTranslations('shell')
  const pages = (['support', 'terms', 'privacy', 'imprint', 'docs'] as const).flatMap((name) => {
    const href = links[name]
    return href ? [{ name, href }] : []
  })
  return (
    <footer className={styles.footer}>
      <ChoiceBar
        action="/language"
        label={t('language')}
        back={back}
        chosen={pageLanguage(config, useLocale())}
        items={languageNames(config).map(([value, label]) => ({ value, label, lang: value }))}
      />
      <ChoiceBar
        action="/theme"
        label={t('appearance')}
        back={back}
        chosen={theme}
        items={themes.map((value) => ({ value, label: t(value) }))}
      />
      {pages.length > 0 && (
        <ul className={styles.links}>
          {pages.map(({ name, href }) => (
            <li key={name}>
              <a href={href}>{t(name)}</a>
            </li>
          ))}
        </ul>
      )}
      {config.brand.isOwn && <p className={styles.small}>{t('poweredBy', { software: 'Postern' })}</p>}
    </footer>
  )
}

type SiteFooterProps = {
  theme: Theme
  /** The page that a choice leads back to. */
  back: string | null
  config: Config
}
