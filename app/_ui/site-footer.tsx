import { useLocale, useTranslations } from 'next-intl'
import { ChoiceBar } from '#app/_ui/choice-bar.tsx'
import { type Theme, themes } from '#lib/account/profile/page-look'
import { chooseLocale, localeNames, locales } from '#lib/text/messages'
import styles from './site-footer.module.css'

/** Language, appearance and the operator's own pages. */
export function SiteFooter({ theme, back, links }: SiteFooterProps) {
  const t = useTranslations('shell')
  const pages = (['terms', 'privacy', 'docs'] as const).flatMap((name) => {
    const href = links[name]
    return href ? [{ name, href }] : []
  })
  return (
    <footer className={styles.footer}>
      <ChoiceBar
        action="/language"
        label={t('language')}
        back={back}
        chosen={chooseLocale(useLocale())}
        items={locales.map((value) => ({ value, label: localeNames[value], lang: value }))}
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
    </footer>
  )
}

type SiteFooterProps = {
  theme: Theme
  /** The page that a choice leads back to. */
  back: string | null
  links: Partial<Record<'terms' | 'privacy' | 'docs', string | undefined>>
}
