import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { readConsolePage } from '#app/_page/console-page.ts'
import { pageContext } from '#app/_page/page-context.ts'
import { PageHeading } from '#app/_ui/page-heading.tsx'
import { namedInDocs, readDocs } from '#lib/console/docs/read-docs'
import styles from './docs.module.css'
import { DocsBlock } from './docs-block.tsx'

type Params = Promise<{ page: string }>

/** A page of the docs for developers, to which failures link. The docs are in English. */
export default async function DocsPage({ params }: { params: Params }) {
  const { context } = await readConsolePage()
  const { serviceName } = context.config
  const blocks = await readDocs((await params).page)
  if (!blocks) notFound()
  const [title, ...others] = blocks
  return (
    <>
      <PageHeading
        title={<span lang="en">{title?.kind === 'heading' ? namedInDocs(title.text, serviceName) : ''}</span>}
      />
      <article className={styles.docs} lang="en">
        {others.map((block, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the docs do not change while they are shown.
          <DocsBlock key={index} block={block} place={index} serviceName={serviceName} />
        ))}
      </article>
    </>
  )
}

export async function generateMetadata({ params }: { params: Params }): Promise<Metadata> {
  const [{ config }, [title] = []] = await Promise.all([pageContext(), readDocs((await params).page) ?? []])
  return { title: title?.kind === 'heading' ? namedInDocs(title.text, config.serviceName) : '' }
}
