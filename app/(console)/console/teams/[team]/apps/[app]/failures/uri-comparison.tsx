import { useTranslations } from 'next-intl'
import type { UriDifference } from '#lib/console/failures/uri-difference'
import styles from './failures.module.css'

/**
 * The registered URI above the one that was sent, with equal characters below each other and the different ones marked. The
 * reasons say the same in words.
 */
export function UriComparison({ uris: { stretches, reasons }, ours }: UriComparisonProps) {
  const t = useTranslations('consoleFailures')
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard (WCAG 2.1.1). */}
      <section className={styles.uris} aria-label={t('compared')} tabIndex={0}>
        <dl>
          {(['registered', 'sent'] as const).map((side) => (
            <div key={side}>
              <dt>{t(side === 'sent' ? 'sent' : ours)}</dt>
              <dd>
                <code translate="no">
                  {stretches.map((stretch, index) =>
                    stretch.isEqual ? (
                      stretch[side]
                    ) : (
                      // biome-ignore lint/suspicious/noArrayIndexKey: stretches keep their place.
                      <mark key={index}>
                        {stretch[side]}
                        <Gap length={Math.max(stretch.registered.length, stretch.sent.length) - stretch[side].length} />
                      </mark>
                    ),
                  )}
                </code>
              </dd>
            </div>
          ))}
        </dl>
      </section>
      {reasons.map((reason) => (
        <p key={reason}>{t(`uri.${reason}`)}</p>
      ))}
    </>
  )
}

type UriComparisonProps = {
  uris: UriDifference
  /** Whose URI is expected: the registered one, or that of the authorization request. */
  ours: 'registered' | 'asked'
}

/** Fills the shorter side of a difference, so that what follows stays aligned. */
const Gap = ({ length }: { length: number }) => length > 0 && <span aria-hidden="true">{'\u00A0'.repeat(length)}</span>
