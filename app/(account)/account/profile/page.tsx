import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { getTranslations } from 'next-intl/server'
import { readAccountPage } from '#app/_page/account-page.ts'
import { hasProblems } from '#app/_page/visitor.ts'
import { Card } from '#app/_ui/card.tsx'
import { PageHeading } from '#app/_ui/page-heading.tsx'
import { pictureUrl } from '#app/_ui/picture-url.ts'
import { PictureForm } from './picture-form.tsx'
import { ProfileForm } from './profile-form.tsx'
import { PictureResult, ProfileResult } from './profile-result.tsx'

/** The profile: picture and fields. */
export default async function ProfilePage() {
  const { context, person, flashOf } = await readAccountPage('/account/profile')
  const [profile, picture, sent, t] = await Promise.all([
    flashOf('profile'),
    flashOf('picture'),
    headers(),
    getTranslations('profile'),
  ])
  const { issuer, profileFields } = context.config
  return (
    <>
      <PageHeading title={t('title')}>{t('lede')}</PageHeading>
      <ProfileResult done={profile.done} />
      <PictureResult done={picture.done} />
      {profileFields.includes('picture') && (
        <PictureForm
          name={person.name || person.username}
          src={pictureUrl(issuer, person.avatarFile)}
          problems={picture.problems}
        />
      )}
      <Card title={t('about')}>
        <p>{t('aboutWhat')}</p>
        <ProfileForm person={person} shown={profileFields} flash={profile} />
      </Card>
      <script data-keep type="module" src="/crop.js" nonce={sent.get('x-nonce') ?? undefined} />
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  const [wrong, t] = await Promise.all([hasProblems('profile'), getTranslations('account')])
  const title = t('sections.profile')
  return { title: wrong ? t('problemTitle', { title }) : title }
}
