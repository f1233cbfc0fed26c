import { headers } from 'next/headers'
import { getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { readAccess } from '#app/_page/admin-page.ts'
import { readVisitor } from '#app/_page/visitor.ts'
import { Avatar } from '#app/_ui/avatar.tsx'
import { NotCarriedOutNotice } from '#app/_ui/not-carried-out-notice.tsx'
import { pictureUrl } from '#app/_ui/picture-url.ts'
import { Rail } from '#app/_ui/rail.tsx'
import { RailLayout } from '#app/_ui/rail-layout.tsx'
import { sectionsOf } from './sections.ts'

/** The layout of the operators' pages: the navigation beside the page. */
export default async function AdminLayout({ children }: { children: ReactNode }) {
  const [{ context, current }, sent, access] = await Promise.all([readVisitor(), headers(), readAccess()])
  // The page itself redirects, or answers 404.
  if (!current || access !== 'granted') return children
  const t = await getTranslations('admin')
  const { pathname } = new URL(sent.get('x-path') ?? '/', context.config.accountUrl)
  const { person } = current
  const waiting = await context.scopeQueue.count()
  const name = person.name || person.username
  return (
    <RailLayout
      rail={
        <Rail
          picture={<Avatar name={name} src={pictureUrl(context.config.issuer, person.avatarFile)} />}
          name={name}
          second={t('title')}
          leave={{ href: '/account', text: t('yourAccount') }}
          label={t('nav')}
          sections={sectionsOf(pathname).map(({ key, ...section }) => ({
            ...section,
            text: key === 'scopes' && waiting > 0 ? `${t('sections.scopes')} (${waiting})` : t(`sections.${key}`),
          }))}
        />
      }
    >
      <NotCarriedOutNotice />
      {children}
    </RailLayout>
  )
}
