import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { readVisitor } from '#app/_page/visitor.ts'
import { BrandHome } from '#app/_ui/brand-home.tsx'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { Card } from '#app/_ui/card.tsx'
import { GateDrawing } from '#app/_ui/gate-drawing.tsx'
import { Icon } from '#app/_ui/icon.tsx'
import { pictureUrl } from '#app/_ui/picture-url.ts'
import { SignedInAs } from '#app/_ui/signed-in-as.tsx'
import { inboxFor } from '#lib/mail/letter-page'
import styles from './page.module.css'

const points = [
  { key: 'choose', icon: 'check' },
  { key: 'apart', icon: 'shield' },
  { key: 'mail', icon: 'mail' },
] as const

/** The home page of the account host, with the purpose of the service. */
export default async function HomePage() {
  const [{ context, current }, sent, t, words, account, inbox] = await Promise.all([
    readVisitor(),
    headers(),
    getTranslations('home'),
    getTranslations('shell'),
    getTranslations('account'),
    getTranslations('inbox'),
  ])
  const { config } = context
  if (config.home !== 'page') redirect(config.home === 'account' ? '/account' : config.home)
  const service = config.serviceName
  const demo = config.demoUrl
  return (
    <div className={styles.home}>
      {current && (
        <SignedInAs
          name={current.person.name || current.person.username}
          src={pictureUrl(config.issuer, current.person.avatarFile)}
        >
          <a href="/logout">{words('signOut')}</a>
        </SignedInAs>
      )}
      {config.brand.home ? (
        <BrandHome blocks={config.brand.home} toAccount={account('goTo')} />
      ) : (
        <OurHome service={service} offersRelay={config.offersRelay} toAccount={account('goTo')} />
      )}
      {config.evaluation && (
        <div className={styles.evaluation}>
          <Card title={t('evaluation.title')}>
            <p>{t('evaluation.text', { service })}</p>
            {demo && (
              <p>
                <a href={demo}>{t('evaluation.demo')}</a>
              </p>
            )}
            <p>
              <a href="/dev/ui">{t('evaluation.gallery')}</a>
            </p>
            {inboxFor(sent, context) && (
              <p>
                <a href="/dev/inbox">{inbox('link')}</a>
              </p>
            )}
          </Card>
        </div>
      )}
    </div>
  )
}

/** What the service is for, where the operator has written no home page. */
async function OurHome({ service, offersRelay, toAccount }: OurHomeProps) {
  const t = await getTranslations('home')
  return (
    <>
      <div className={styles.opening}>
        <div className={styles.words}>
          <h1>{t('title')}</h1>
          <p>{t('lede', { service })}</p>
          <div>
            <ButtonLink href="/account">{toAccount}</ButtonLink>
          </div>
        </div>
        <GateDrawing />
      </div>
      <ul className={styles.points}>
        {points
          .filter(({ key }) => offersRelay || key !== 'mail')
          .map(({ key, icon }) => (
            <li key={key}>
              <span className={styles.icon}>
                <Icon name={icon} />
              </span>
              <h2>{t(`${key}.title`)}</h2>
              <p>{t(`${key}.text`)}</p>
            </li>
          ))}
      </ul>
    </>
  )
}

type OurHomeProps = { service: string; offersRelay: boolean; toAccount: string }
