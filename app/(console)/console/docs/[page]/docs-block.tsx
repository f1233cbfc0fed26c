import type { ReactNode } from 'react'
import { Table } from '#app/_ui/table.tsx'
import { type Block, readInlines } from '#lib/console/docs/markdown'
import { linkInDocs, namedInCode, namedInDocs } from '#lib/console/docs/read-docs'
import styles from './docs.module.css'

/** One block of the docs, with the name of the service in place of ours. */
export function DocsBlock({ block, place, serviceName }: { block: Block; place: number; serviceName: string }) {
  const inlines = (text: string) => inlinesOf(text, serviceName)
  switch (block.kind) {
    case 'heading':
      return <Heading level={block.level} id={block.id} text={inlines(block.text)} />
    case 'paragraph':
      return <p>{inlines(block.text)}</p>
    case 'list': {
      const List = block.isOrdered ? 'ol' : 'ul'
      return (
        <List>
          {block.items.map((item) => (
            <li key={item}>{inlines(item)}</li>
          ))}
        </List>
      )
    }
    case 'table':
      return (
        <Table label={`${place}: ${block.head.join(', ')}`} head={block.head.map((cell) => inlines(cell || '–'))}>
          {block.rows.map((row) => (
            <tr key={row.join('|')}>
              {row.map((cell, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns keep their place.
                <td key={index}>{inlines(cell)}</td>
              ))}
            </tr>
          ))}
        </Table>
      )
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard (WCAG 2.1.1).
        <pre className={styles.code} tabIndex={0}>
          <code translate="no">{namedInCode(block.text, serviceName)}</code>
        </pre>
      )
  }
}

function Heading({ level, id, text }: { level: number; id: string; text: ReactNode }) {
  const Level = level <= 2 ? 'h2' : 'h3'
  return <Level id={id}>{text}</Level>
}

const inlinesOf = (text: string, serviceName: string): ReactNode =>
  readInlines(text).map((inline, index) => {
    const shown = namedInDocs(inline.text, serviceName)
    // biome-ignore-start lint/suspicious/noArrayIndexKey: the parts of a line keep their place.
    if (inline.kind === 'code')
      return (
        <code key={index} translate="no">
          {shown}
        </code>
      )
    if (inline.kind === 'strong') return <strong key={index}>{inlinesOf(inline.text, serviceName)}</strong>
    const href = inline.kind === 'link' ? linkInDocs(inline.href) : undefined
    if (href !== undefined)
      return (
        <a key={index} href={href}>
          {shown}
        </a>
      )
    return shown
    // biome-ignore-end lint/suspicious/noArrayIndexKey: the parts of a line keep their place.
  })
