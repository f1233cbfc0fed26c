import { useTranslations } from 'next-intl'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { CodeBlock } from '#app/_ui/code-block.tsx'
import { CodeField } from '#app/_ui/code-field.tsx'
import { Form } from '#app/_ui/form.tsx'
import { ProblemSummary } from '#app/_ui/problem-summary.tsx'
import { useSecurityProblems } from '#app/(account)/account/security/security-problems.ts'
import type { Flash } from '#lib/http/flash'
import styles from './set-up.module.css'

/** Shows the key to scan or type, and asks for a first code to confirm it. */
export function SetUp({ sealed, totpKey, qr, reported }: SetUpProps) {
  const t = useTranslations('security.totp')
  const problems = useSecurityProblems(reported).filter(({ field }) => field)
  return (
    <Card>
      <Form action="/account/security/authenticator/on">
        <ProblemSummary problems={problems} />
        <input type="hidden" name="secret" value={sealed} />
        <ol className={styles.steps}>
          <li>
            <h2>{t('scan')}</h2>
            <p className={styles.soft}>{t('scanHelp')}</p>
            <QrCode {...qr} label={t('qr')} />
            <CodeBlock id="totp-key" label={t('key')} wrap>
              {totpKey}
            </CodeBlock>
          </li>
          <li>
            <h2>{t('confirm')}</h2>
            <div className={styles.code}>
              <CodeField label={t('code')} problem={problems[0]?.text} />
            </div>
            <Button type="submit" id="totp-submit" busyText={t('busy')}>
              {t('submit')}
            </Button>
          </li>
        </ol>
      </Form>
    </Card>
  )
}

/** Always dark on light: not every camera reads an inverted code. */
function QrCode({ size, path, label }: { size: number; path: string; label: string }) {
  return (
    <svg
      className={styles.qr}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#10231b" d={path} />
    </svg>
  )
}

type SetUpProps = {
  sealed: string
  totpKey: string
  qr: { size: number; path: string }
  reported: Flash['problems']
}
