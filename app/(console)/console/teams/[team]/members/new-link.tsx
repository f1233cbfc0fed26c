import { useTranslations } from 'next-intl'
import { Card } from '#app/_ui/card.tsx'
import { CodeBlock } from '#app/_ui/code-block.tsx'
import { invitationDays } from '#lib/console/team/invitations'

/** The link of a new invitation, which is shown once. */
export function NewLink({ link }: { link: string }) {
  const t = useTranslations('console.members')
  return (
    <Card title={t('linkTitle')}>
      <p>{t('linkWhat', { days: invitationDays })}</p>
      <CodeBlock id="invitation-link" label={t('link')} wrap>
        {link}
      </CodeBlock>
    </Card>
  )
}
