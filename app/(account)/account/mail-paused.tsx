import { useTranslations } from 'next-intl'
import { richAddress } from '#app/_mail/rich-address.tsx'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { Form } from '#app/_ui/form.tsx'
import { Notice } from '#app/_ui/notice.tsx'
import type { Person } from '#lib/account/signed-in/session'
import styles from './mail-paused.module.css'

/** Says why the mail of apps is paused, and how to resume it (relay §7). */
export function MailPaused({ person: { email, mailPausedAt } }: { person: Person }) {
  const t = useTranslations('mailPaused')
  if (!mailPausedAt || email === undefined) return null
  return (
    <Notice kind="attention" title={t('title')}>
      <div className={styles.words}>
        <p>{t.rich('what', { email, address: richAddress })}</p>
        <p>{t('how')}</p>
        <Form action="/account/email/confirm/send">
          <Actions>
            <Button type="submit" id="email-confirm" busyText={t('busy')}>
              {t('send')}
            </Button>
            <ButtonLink href="/account/email/change" look="secondary">
              {t('change')}
            </ButtonLink>
          </Actions>
        </Form>
      </div>
    </Notice>
  )
}
