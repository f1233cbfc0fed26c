import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Avatar } from './avatar.tsx'
import styles from './signed-in-as.module.css'

/** The signed-in account in one line, with a link at the end or below the name. */
export function SignedInAs({ name, src, children }: { name: string; src?: string | undefined; children?: ReactNode }) {
  const t = useTranslations('shell')
  return (
    <p className={styles.line}>
      <Avatar name={name} src={src} size="s" />
      <span className={styles.words}>
        <span>
          {t.rich('signedInAs', {
            name,
            who: (chunks) => (
              <bdi className={styles.who} translate="no">
                {chunks}
              </bdi>
            ),
          })}
        </span>
        {children}
      </span>
    </p>
  )
}
