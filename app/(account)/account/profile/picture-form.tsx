import { useTranslations } from 'next-intl'
import { Actions } from '#app/_ui/actions.tsx'
import { Avatar } from '#app/_ui/avatar.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { describedBy, FieldFrame } from '#app/_ui/field-frame.tsx'
import { Form } from '#app/_ui/form.tsx'
import { ProblemSummary } from '#app/_ui/problem-summary.tsx'
import { SessionToken } from '#app/_ui/session-token.tsx'
import type { AvatarProblem } from '#lib/account/profile/avatar'
import type { Flash } from '#lib/http/flash'
import { CropPreview } from './crop-preview.tsx'
import styles from './picture-form.module.css'

/** The avatar, with forms to replace and to remove it. */
export function PictureForm({ name, src, problems: reported }: PictureFormProps) {
  const t = useTranslations('picture')
  const problems = useProblems(reported)
  const about = { help: t('help'), problem: problems[0]?.text }
  return (
    <Card title={t('title')}>
      <div className={styles.now}>
        <Avatar name={name} src={src} size="xl" />
        <div className={styles.words}>
          <p>{t('what')}</p>
          {src && (
            <form method="post" action="/account/picture/remove">
              <SessionToken />
              <Button type="submit" id="picture-remove" look="secondary" busyText={t('removing')}>
                {t('remove')}
              </Button>
            </form>
          )}
        </div>
      </div>
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
        <Actions>
          <Button type="submit" id="picture-save" look="secondary" busyText={t('busy')}>
            {t('save')}
          </Button>
        </Actions>
      </Form>
    </Card>
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
