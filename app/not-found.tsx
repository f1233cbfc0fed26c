import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { ErrorCard } from '#app/_ui/error-card.tsx'
import InteractionLayout from '#app/(interaction)/layout.tsx'

/** The page for any address that does not exist. */
export default async function NotFound() {
  const t = await getTranslations('fault')
  const home = (
    <ButtonLink href="/" look="secondary">
      {t('home')}
    </ButtonLink>
  )
  return (
    <InteractionLayout>
      <ErrorCard title={t('notFound.title')} next={t('notFound.next')} actions={home}>
        <p>{t('notFound.what')}</p>
      </ErrorCard>
    </InteractionLayout>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('fault.notFound')
  return { title: t('title') }
}
