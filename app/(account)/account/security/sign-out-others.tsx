import { useTranslations } from 'next-intl'
import styles from '#app/_ui/action-rows.module.css'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { Checkbox } from '#app/_ui/checkbox.tsx'
import { SessionToken } from '#app/_ui/session-token.tsx'

/** Ends every other session; apps keep their access unless the box is ticked (security checklist, "People"). */
export function SignOutOthers() {
  const t = useTranslations('security.sessions')
  return (
    <Card title={t('others')}>
      <p>{t('othersWhat')}</p>
      <form method="post" action="/account/security/sessions/others" className={styles.form}>
        <SessionToken />
        <Checkbox name="apps" label={t('apps')} />
        <Button type="submit" id="sign-out-others" look="secondary" busyText={t('busy')}>
          {t('others')}
        </Button>
      </form>
    </Card>
  )
}
