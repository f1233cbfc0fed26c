import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { pageContext } from '#app/_page/page-context.ts'
import { Choices } from './choices.tsx'
import { Controls } from './controls.tsx'
import { Foundations } from './foundations.tsx'
import { Interactions } from './interactions.tsx'
import { Messages } from './messages.tsx'
import styles from './page.module.css'
import { Records } from './records.tsx'

/** Every component in every state, for developers and designers. */
export default async function GalleryPage() {
  const { config, now } = await pageContext()
  if (!config.evaluation) notFound()
  return (
    <div className={styles.gallery}>
      <h1>Page components</h1>
      <Foundations service={config.serviceName} />
      <Controls />
      <Choices />
      <Messages />
      <Records now={now()} />
      <Interactions />
    </div>
  )
}

export const metadata: Metadata = { title: 'Page components' }
