import { useTranslations } from 'next-intl'
import { Actions } from '#app/_ui/actions.tsx'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { pathWith } from '#lib/http/redirect'

/** Leads a visitor to the sign-in or the sign-up, and back to the invitation. */
export function SignInToJoin({ path, offersSignUp }: { path: string; offersSignUp: boolean }) {
  const t = useTranslations('console.join')
  return (
    <>
      <p>{t('signInWhat')}</p>
      <Actions stacked>
        <ButtonLink href={pathWith('/signin', { to: path })} wide>
          {t('signIn')}
        </ButtonLink>
        {offersSignUp && (
          <ButtonLink href={pathWith('/signup', { to: path })} look="secondary" wide>
            {t('signUp')}
          </ButtonLink>
        )}
      </Actions>
    </>
  )
}
