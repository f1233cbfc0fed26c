import { useTranslations } from 'next-intl'
import { Button } from '#app/_ui/button.tsx'
import { Day } from '#app/_ui/day.tsx'
import { Form } from '#app/_ui/form.tsx'
import { Notice } from '#app/_ui/notice.tsx'
import styles from './leaving-notice.module.css'

/** Says when an operator's reset removes all passkeys and second factors, and how to keep them. */
export function ResetNotice({ at, reason }: { at: Date; reason: string }) {
  const t = useTranslations('keepFactors')
  return (
    <Notice kind="attention" title={t.rich('notice', { time: () => <Day at={at} /> })}>
      <div className={styles.words}>
        <p>{t('noticeWhat', { reason })}</p>
        <Form action="/account/security/keep-factors">
          <div>
            <Button type="submit" id="account-keep-factors" busyText={t('busy')}>
              {t('keep')}
            </Button>
          </div>
        </Form>
      </div>
    </Notice>
  )
}
