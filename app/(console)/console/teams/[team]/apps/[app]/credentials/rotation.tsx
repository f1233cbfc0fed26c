import { useTranslations } from 'next-intl'
import { Fold } from '#app/_ui/fold.tsx'
import { TimeAgo } from '#app/_ui/time-ago.tsx'
import type { Credential } from '#lib/console/last-use'
import styles from './credentials.module.css'
import { rotationStep, rotationSteps } from './rotation-step.ts'

/** The steps by which a secret or a key is replaced, with the present one marked. Open while two work. */
export function Rotation({ kind, credentials, now }: RotationProps) {
  const t = useTranslations('consoleAdvanced.rotate')
  const { step, oldUsedAt } = rotationStep(credentials, now)
  return (
    <div className={styles.after}>
      <Fold title={t('title')} open={step !== 'add'}>
        <ol className={styles.steps}>
          {rotationSteps.map((one) => (
            <li key={one} aria-current={one === step ? 'step' : undefined}>
              {one === step && <strong>{t('now')} </strong>}
              {t(`${kind}.${one}`)}
              {one === step && oldUsedAt && <> {t.rich('oldUsed', { time: () => <TimeAgo at={oldUsedAt} /> })}</>}
            </li>
          ))}
        </ol>
      </Fold>
    </div>
  )
}

type RotationProps = { kind: 'secret' | 'key'; credentials: readonly Credential[]; now: Date }
