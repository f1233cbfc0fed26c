import type { ReactNode } from 'react'

/** An address inside a translated sentence; it may break before the @. */
export function richAddress(chunks: ReactNode) {
  const [local, domain] = String(chunks).split('@')
  return (
    <bdi translate="no">
      {local}
      <wbr />@{domain}
    </bdi>
  )
}
