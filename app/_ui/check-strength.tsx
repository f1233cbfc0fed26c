import { getTranslations } from 'next-intl/server'
import { pathHere } from '#app/_page/page-context.ts'
import { Button } from './button.tsx'

/** Asks without a script how strong the typed password is. Follows the form's own button, which Enter presses. */
export async function CheckStrength() {
  const [page, t] = await Promise.all([pathHere(), getTranslations('passwordStrength')])
  return (
    <noscript>
      <Button type="submit" formAction="/password/strength" name="page" value={page} look="quiet">
        {t('check')}
      </Button>
    </noscript>
  )
}
