import { useTranslations } from 'next-intl'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { Notice } from '#app/_ui/notice.tsx'
import { fewCodes } from '#lib/sign-in/second-factor/safety'
import type { Ways } from '#lib/sign-in/second-factor/store'

/** Warns a person who has no way to recover the account, or few recovery codes left. */
export function WayBack({ ways: { password, email, codes } }: { ways: Ways }) {
  const t = useTranslations('security.stuck')
  const stuck = !password && !email && !codes?.left
  const short = codes !== undefined && codes.left < fewCodes
  if (!stuck && !short) return null
  return (
    <Notice kind="attention" title={t('title')}>
      <p>{stuck ? t('what') : t('few', { left: codes?.left ?? 0 })}</p>
      <ButtonLink href="/account/security/codes" look="secondary">
        {t('action')}
      </ButtonLink>
    </Notice>
  )
}
