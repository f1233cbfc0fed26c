import type { ReactNode } from 'react'

/** An address or name in a sentence: emphasized, not translated, and isolated from the direction of the text. */
export const Address = ({ children }: { children: ReactNode }) => (
  <bdi translate="no">
    <strong>{children}</strong>
  </bdi>
)
