import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import type { Search } from '#app/_page/interaction-page.ts'
import { hasProblems } from '#app/_page/visitor.ts'
import { Assurance } from '#app/_ui/assurance.tsx'
import { InteractionHeading } from '#app/_ui/interaction-heading.tsx'
import { LinkedMarks } from '#app/_ui/linked-marks.tsx'
import { pictureUrl } from '#app/_ui/picture-url.ts'
import { AddressForm } from './address-form.tsx'
import { readBinding } from './read-binding.ts'

/** Asks for the address that an app requires or may have, before anything is shared (spec §2.7, e-mail rule 3). */
export default async function BindEmailPage({ searchParams }: { searchParams: Search }) {
  const { context, client, sealed, current, problems, kept, agreedTo } = await readBinding(searchParams, 'bind-email')
  const t = await getTranslations('bindEmail')
  const why = agreedTo ?? 'required'
  return (
    <>
      <InteractionHeading
        above={<LinkedMarks app={client.name} logo={pictureUrl(context.config.issuer, client.logoFile)} />}
        title={t('heading')}
      >
        <p>{t(why, { app: client.name })}</p>
      </InteractionHeading>
      <AddressForm
        hiddenFields={{ request: sealed, session: current.session.publicId }}
        address={kept.address ?? ''}
        reported={problems}
        optional={agreedTo !== undefined}
      />
      <Assurance>{t(assurances[why], { app: client.name })}</Assurance>
    </>
  )
}

const assurances = { required: 'private', regular: 'privateRegular', hidden: 'privateHidden' } as const

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('bindEmail')
  return { title: t((await hasProblems('bind-email')) ? 'problemTitle' : 'title') }
}
