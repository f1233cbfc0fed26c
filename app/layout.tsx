import type { Metadata, Viewport } from 'next'
import { cookies, headers } from 'next/headers'
import { getLocale, getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { pageContext } from '#app/_page/page-context.ts'
import { readVisitor } from '#app/_page/visitor.ts'
import { AccountLink } from '#app/_ui/account-link.tsx'
import { brandPicture } from '#app/_ui/brand-picture.ts'
import { SiteFooter } from '#app/_ui/site-footer.tsx'
import { SiteHeader } from '#app/_ui/site-header.tsx'
import { chooseTheme } from '#lib/account/profile/page-look'
import { directionOf, pageLanguage } from '#lib/brand/brand-texts'
import '#app/_ui/base-styles.ts'
import styles from './layout.module.css'

/** The layout of every page: skip link, header, the page, and the footer with language and appearance. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const [{ context, current }, sent, jar, locale, t] = await Promise.all([
    readVisitor(),
    headers(),
    cookies(),
    getLocale(),
    getTranslations('shell'),
  ])
  const { config } = context
  const theme = chooseTheme(current?.person.pageTheme, jar.get('postern_theme')?.value, config.defaultTheme)
  const nonce = sent.get('x-nonce') ?? undefined
  const language = pageLanguage(config, locale)
  return (
    <html lang={language} dir={directionOf(language)} data-theme={theme}>
      <head>
        {/* Browsers that know rel=expect paint once all of the page has arrived, so that no part moves another. */}
        <link rel="expect" href="#page-end" blocking="render" />
        {config.brand.look.css && <style nonce={nonce}>{config.brand.look.css}</style>}
      </head>
      <body className={styles.page}>
        <a href="#content" className={styles.skip}>
          {t('skip')}
        </a>
        <SiteHeader service={config.serviceName} brand={config.brand} theme={theme}>
          <AccountLink />
        </SiteHeader>
        <main id="content" className={styles.content} tabIndex={-1}>
          {children}
        </main>
        <SiteFooter theme={theme} back={sent.get('x-path')} config={config} />
        <script id="page-end" data-keep src="/own.js" nonce={nonce} defer />
      </body>
    </html>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  const [{ config }, t] = await Promise.all([pageContext(), getTranslations('home')])
  const { serviceName } = config
  return {
    title: { default: serviceName, template: `%s · ${serviceName}` },
    applicationName: serviceName,
    description: t('description'),
    icons: { icon: brandPicture(config.brand, 'favicon.svg') ?? (config.brand.isOwn ? 'data:,' : '/icon.svg') },
    formatDetection: { telephone: false, email: false, address: false },
  }
}

export async function generateViewport(): Promise<Viewport> {
  const { isOwn, look } = (await pageContext()).config.brand
  const [light, dark] = isOwn ? look.colours.ground : ['#f9f6f0', '#101713']
  return {
    colorScheme: 'light dark',
    themeColor: [
      { media: '(prefers-color-scheme: light)', color: light },
      { media: '(prefers-color-scheme: dark)', color: dark },
    ],
  }
}
