import type { Metadata } from 'next'
import { cookies } from 'next/headers'
import { getTranslations } from 'next-intl/server'
import { oneOf, type Search } from '#app/_page/interaction-page.ts'
import { readVisitor } from '#app/_page/visitor.ts'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { InteractionHeading } from '#app/_ui/interaction-heading.tsx'
import { Notice } from '#app/_ui/notice.tsx'
import { CodeList } from '#app/(account)/account/security/codes/code-list.tsx'
import { localPath } from '#lib/http/redirect'
import { readShownCodes } from '#lib/sign-in/recovery-codes/shown-codes'

/** New recovery codes, after sign-up with a passkey alone or after a recovery that replaced the old ones. */
export default async function SignUpCodesPage({ searchParams }: { searchParams: Search }) {
  const [{ context, current }, jar, { to }] = await Promise.all([readVisitor(), cookies(), searchParams])
  const codes = await readShownCodes(context, jar.toString())
  const ways = codes && current && (await context.factors.ways(current.person.id))
  const t = await getTranslations('codes')
  return (
    <>
      <InteractionHeading title={t('heading')}>
        <p>{t(explain(codes, ways?.password !== undefined))}</p>
      </InteractionHeading>
      {codes && <Notice kind="attention">{t('once')}</Notice>}
      {codes && current && <CodeList codes={codes} person={current.person} config={context.config} />}
      <ButtonLink id="codes-kept" href={localPath(oneOf(to))} wide>
        {t('continue')}
      </ButtonLink>
    </>
  )
}

function explain(codes: string[] | undefined, hasPassword: boolean) {
  if (!codes) return 'gone'
  return hasPassword ? 'why' : 'only'
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('codes'))('title') }
}
