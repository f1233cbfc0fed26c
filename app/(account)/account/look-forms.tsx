import { cookies, headers } from 'next/headers'
import { getLocale, getTranslations } from 'next-intl/server'
import { chooseTheme, themes } from '#app/_page/theme.ts'
import { Card } from '#app/_ui/card.tsx'
import { ChoiceBar } from '#app/_ui/choice-bar.tsx'
import { localeNames, locales } from '#lib/text/messages'
import styles from './look-forms.module.css'

/** Language and appearance of the pages in this browser. */
export async function LookForms() {
  const [jar, sent, locale, t, shell] = await Promise.all([
    cookies(),
    headers(),
    getLocale(),
    getTranslations('look'),
    getTranslations('shell'),
  ])
  const back = sent.get('x-path')
  return (
    <Card title={t('title')}>
      <p>{t('what')}</p>
      <dl className={styles.choices}>
        <dt>{t('language')}</dt>
        <dd>
          <ChoiceBar
            action="/language"
            label={t('language')}
            back={back}
            chosen={locale}
            items={locales.map((value) => ({ value, label: localeNames[value], lang: value }))}
          />
        </dd>
        <dt>{t('appearance')}</dt>
        <dd>
          <ChoiceBar
            action="/theme"
            label={t('appearance')}
            back={back}
            chosen={chooseTheme(jar.get('postern_theme')?.value)}
            items={themes.map((value) => ({ value, label: shell(value) }))}
          />
        </dd>
      </dl>
    </Card>
  )
}
