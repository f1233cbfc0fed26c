import { useTranslations } from 'next-intl'
import { Button } from '#app/_ui/button.tsx'
import { Day } from '#app/_ui/day.tsx'
import { Form } from '#app/_ui/form.tsx'
import { Notice } from '#app/_ui/notice.tsx'
import styles from './leaving-notice.module.css'

/** Says when the account will be deleted, and how to keep it. */
export function LeavingNotice({ at, sealed }: { at: Date; sealed: string | null }) {
  const t = useTranslations('account.leaving')
  return (
    <Notice kind="attention" title={t.rich('title', { time: () => <Day at={at} /> })}>
      <div className={styles.words}>
        <p>{t('what')}</p>
        {sealed && <p>{t('app')}</p>}
        <Form action="/account/data/keep">
          {sealed && <input type="hidden" name="request" value={sealed} />}
          <div>
            <Button type="submit" id="account-keep" busyText={t('busy')}>
              {t('keep')}
            </Button>
          </div>
        </Form>
      </div>
    </Notice>
  )
}
