import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { Actions } from '#app/_ui/actions.tsx'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { GateDrawing } from '#app/_ui/gate-drawing.tsx'
import styles from './not-found.module.css'

/** The page for any address that does not exist. */
export default async function NotFound() {
  const t = await getTranslations('fault')
  return (
    <div className={styles.missing}>
      <GateDrawing walled />
      <h1>{t('notFound.title')}</h1>
      <p>{t('notFound.what')}</p>
      <p>{t('notFound.next')}</p>
      <Actions>
        <ButtonLink href="/" look="secondary">
          {t('home')}
        </ButtonLink>
      </Actions>
    </div>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('fault.notFound')
  return { title: t('title') }
}
