import { useTranslations } from 'next-intl'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { Dialog } from '#app/_ui/dialog.tsx'
import { AliasForm } from './alias-form.tsx'
import type { ShownAlias } from './shown-alias.ts'

/** Deletes an address that the person made by hand, after a confirmation. */
export function DeleteCard(shown: ShownAlias) {
  const t = useTranslations('hideMyEmail.delete')
  const confirm = (
    <AliasForm action="delete" shown={shown}>
      <Button type="submit" id="alias-delete" look="danger" busyText={t('busy')}>
        {t('submit')}
      </Button>
    </AliasForm>
  )
  return (
    <Card title={t('title')}>
      <p>{t('instead')}</p>
      <div>
        <Dialog id="alias-delete-dialog" opener={t('open')} title={t('sure')} confirm={confirm}>
          <p>{t('what')}</p>
        </Dialog>
      </div>
    </Card>
  )
}
