import type { ReactNode } from 'react'

/** An address inside a translated sentence; on a narrow screen it breaks where people would break it. */
export function richAddress(chunks: ReactNode) {
  const [local, domain] = String(chunks).split('@')
  return (
    <bdi translate="no">
      {local}
      <wbr />@{domain}
    </bdi>
  )
}
