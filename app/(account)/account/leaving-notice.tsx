import { useTranslations } from 'next-intl'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Day } from '#app/_ui/day.tsx'
import { Form } from '#app/_ui/form.tsx'
import { Notice } from '#app/_ui/notice.tsx'
import styles from './leaving-notice.module.css'

/**
 * Says when the account will be deleted, and how to keep it. The request of an app can also continue with another account, or
 * be cancelled.
 */
export function LeavingNotice({ at, sealed }: { at: Date; sealed: string | null }) {
  const t = useTranslations('account.leaving')
  return (
    <Notice kind="attention" title={t.rich('title', { time: () => <Day at={at} /> })}>
      <div className={styles.words}>
        <p>{t('what')}</p>
        {sealed && <p>{t('app')}</p>}
        <Form action="/account/data/keep">
          {sealed && <input type="hidden" name="request" value={sealed} />}
          <Actions>
            <Button type="submit" id="account-keep" busyText={t('busy')}>
              {t('keep')}
            </Button>
            {sealed && <OtherWays />}
          </Actions>
        </Form>
      </div>
    </Notice>
  )
}

function OtherWays() {
  const t = useTranslations('choose')
  const to = { type: 'submit', formAction: '/choose/submit' } as const
  return (
    <>
      <Button {...to} name="account" value="other" look="secondary">
        {t('other')}
      </Button>
      <Button {...to} name="action" value="cancel" look="quiet">
        {t('cancel')}
      </Button>
    </>
  )
}
