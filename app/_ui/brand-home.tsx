import { Fragment } from 'react'
import type { Block, Piece } from '#lib/brand/home/read-home'
import styles from './brand-home.module.css'
import { ButtonLink } from './button-link.tsx'

/** The home page of a brand: the blocks of home.md, and the way to the account. */
export function BrandHome({ blocks, toAccount }: { blocks: Block[]; toAccount: string }) {
  return (
    <div className={styles.home}>
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a file keep their order.
        <BlockOf key={index} block={block} />
      ))}
      <div>
        <ButtonLink href="/account">{toAccount}</ButtonLink>
      </div>
    </div>
  )
}

function BlockOf({ block }: { block: Block }) {
  if (block.kind === 'paragraph') return <p>{block.pieces.map(PieceOf)}</p>
  if (block.kind === 'list')
    return (
      <ul>
        {block.items.map((pieces, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above.
          <li key={index}>{pieces.map(PieceOf)}</li>
        ))}
      </ul>
    )
  const Heading = `h${block.level}` as const
  return <Heading>{block.pieces.map(PieceOf)}</Heading>
}

function PieceOf({ text, look, href }: Piece, key: number) {
  if (href !== undefined)
    return (
      <a key={key} href={href}>
        {text}
      </a>
    )
  const Look = look ?? Fragment
  return <Look key={key}>{text}</Look>
}
