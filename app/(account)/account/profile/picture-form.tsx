import { useTranslations } from 'next-intl'
import { Actions } from '#app/_ui/actions.tsx'
import { Avatar } from '#app/_ui/avatar.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { classes } from '#app/_ui/classes.ts'
import dialog from '#app/_ui/dialog.module.css'
import { describedBy, FieldFrame } from '#app/_ui/field-frame.tsx'
import { Form } from '#app/_ui/form.tsx'
import { ProblemSummary } from '#app/_ui/problem-summary.tsx'
import { SessionToken } from '#app/_ui/session-token.tsx'
import type { AvatarProblem } from '#lib/account/profile/avatar'
import type { Flash } from '#lib/http/flash'
import { CropPreview } from './crop-preview.tsx'
import styles from './picture-form.module.css'

/**
 * The avatar, with forms to replace and to remove it. With script, the form is a dialog, which a click on the avatar opens
 * too; without script, the form is part of the card.
 */
export function PictureForm({ name, src, problems: reported }: PictureFormProps) {
  const t = useTranslations('picture')
  const problems = useProblems(reported)
  return (
    <Card title={t('title')}>
      <div className={styles.now}>
        <Avatar name={name} src={src} size="xl" />
        <div className={styles.words}>
          <p>{t('what')}</p>
          <div className={styles.buttons}>
            <span className={styles.opener}>
              <Button
                type="button"
                id="picture-change"
                look="secondary"
                command="show-modal"
                commandfor="picture-dialog"
                aria-haspopup="dialog"
              >
                {t(src ? 'change' : 'add')}
              </Button>
            </span>
            {src && (
              <form method="post" action="/account/picture/remove">
                <SessionToken />
                <Button type="submit" id="picture-remove" look="quiet" busyText={t('removing')}>
                  {t('remove')}
                </Button>
              </form>
            )}
          </div>
        </div>
      </div>
      <dialog
        id="picture-dialog"
        className={classes(dialog.dialog, styles.dialog)}
        aria-labelledby="picture-title"
        data-open={problems.length > 0 || undefined}
      >
        <div className={dialog.body}>
          <h2 id="picture-title" className={styles.title}>
            {t(src ? 'change' : 'add')}
          </h2>
          <UploadForm problems={problems} />
        </div>
      </dialog>
    </Card>
  )
}

function UploadForm({ problems }: { problems: ReturnType<typeof useProblems> }) {
  const t = useTranslations('picture')
  const words = useTranslations('dialog')
  const about = { help: t('help'), problem: problems[0]?.text }
  return (
    <Form action="/account/picture/submit" encType="multipart/form-data">
      <ProblemSummary problems={problems} />
      <FieldFrame id="picture" label={t('choose')} {...about}>
        <input
          type="file"
          id="picture"
          name="picture"
          accept="image/png,image/jpeg,image/webp,image/gif,image/avif"
          className={styles.file}
          {...describedBy('picture', about)}
        />
      </FieldFrame>
      <CropPreview />
      <Actions inReach>
        <Button type="submit" id="picture-save" busyText={t('busy')}>
          {t('save')}
        </Button>
        <span className={styles.opener}>
          <Button type="button" look="secondary" command="close" commandfor="picture-dialog">
            {words('cancel')}
          </Button>
        </span>
      </Actions>
    </Form>
  )
}

function useProblems(reported: Flash['problems']) {
  const t = useTranslations('picture.problems')
  return reported.flatMap(({ field, code }) => {
    const known = codes.find((one) => one === code)
    return known && field ? [{ field, text: t(known) }] : []
  })
}

const codes: readonly AvatarProblem[] = [
  'picture_empty',
  'picture_large',
  'picture_kind',
  'picture_pixels',
  'picture_damaged',
]

type PictureFormProps = { name: string; src: string | undefined; problems: Flash['problems'] }
