import type { ReactNode } from 'react'

/** An address or a name in a sentence: set apart, never translated, and safe in any direction of writing. */
export const Address = ({ children }: { children: ReactNode }) => (
  <bdi translate="no">
    <strong>{children}</strong>
  </bdi>
)
